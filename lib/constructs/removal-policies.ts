import { RemovalPolicy } from 'aws-cdk-lib';

/** Without `SNAPSHOT`, which none of our resources has. */
const known: readonly unknown[] = [
  RemovalPolicy.DESTROY,
  RemovalPolicy.RETAIN,
  RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
];

/** @returns cause and remedy when CDK would throw for the policy */
export function removalPolicyProblem(
  removalPolicy: RemovalPolicy | undefined,
): { readonly problem: string; readonly remedy: string } | undefined {
  if (removalPolicy === undefined || known.includes(removalPolicy)) return undefined;
  return {
    problem: `'${removalPolicy}' is none that queues, tables, log groups and buckets have`,
    remedy: 'Use RemovalPolicy.RETAIN, RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE or RemovalPolicy.DESTROY',
  };
}

/** The policy, or the default in place of a wrong one, which is reported. */
export function checkedRemovalPolicy(
  removalPolicy: RemovalPolicy | undefined,
  problems: { add(setting: string, problem: string, remedy: string): void },
): RemovalPolicy {
  const found = removalPolicyProblem(removalPolicy);
  if (found === undefined) return removalPolicy ?? RemovalPolicy.RETAIN;
  problems.add('removalPolicy', found.problem, found.remedy);
  return RemovalPolicy.RETAIN;
}
