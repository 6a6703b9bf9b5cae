import { CfnKey, type IKey, KeySpec, KeyUsage } from 'aws-cdk-lib/aws-kms';
import type { IConstruct } from 'constructs';
import { isKnown } from './is-known.ts';
import { withoutElsewhere } from './places.ts';
import type { PropProblems } from './violations.ts';

interface KeyRule {
  readonly name: string;
  readonly remedy: string;
  /** @returns what the key is that it must not be */
  problemOf(key: IKey): string | undefined;
}

/** Whatever encrypts queues, tables, buckets and schedules. An imported key tells none of it but its alias. */
export const keyRules: readonly KeyRule[] = [
  {
    name: 'keyIsNoAlias',
    remedy: 'Give the key itself, or import it by Key.fromKeyArn or Key.fromLookup',
    /** Source: "Using aliases to control access to KMS keys": a policy names keys by their ARNs. */
    problemOf: (key) =>
      resourceOf(key) === undefined && 'aliasName' in key
        ? 'is an alias, by which no permission to use a key can be granted'
        : undefined,
  },
  {
    name: 'keyIsSymmetric',
    remedy: `Use a key of the KeySpec ${KeySpec.SYMMETRIC_DEFAULT}`,
    problemOf: (key) => otherThan(resourceOf(key)?.keySpec, KeySpec.SYMMETRIC_DEFAULT, 'has the KeySpec'),
  },
  {
    name: 'keyEncrypts',
    remedy: `Use a key of the KeyUsage ${KeyUsage.ENCRYPT_DECRYPT}`,
    problemOf: (key) => otherThan(resourceOf(key)?.keyUsage, KeyUsage.ENCRYPT_DECRYPT, 'has the KeyUsage'),
  },
];

function resourceOf({ node: { defaultChild } }: IKey): CfnKey | undefined {
  return defaultChild instanceof CfnKey ? defaultChild : undefined;
}

function otherThan(value: string | undefined, usual: string, what: string): string | undefined {
  if (value === undefined || !isKnown(value) || value === usual) return undefined;
  return `${what} ${value}, with which the service encrypts nothing`;
}

/** Without the keys that cannot be used, or stand in another place, each of which is reported. */
export function withUsableKeys<S extends object>(
  scope: IConstruct,
  settings: S,
  names: readonly (keyof S & string)[],
  problems: PropProblems,
): S {
  const usable: S = { ...settings };
  for (const name of names) {
    const key = settings[name] as IKey | undefined;
    const rule = key && keyRules.find(({ problemOf }) => problemOf(key) !== undefined);
    if (key === undefined || rule === undefined) continue;
    problems.add(name, `'${key.node.path}' ${rule.problemOf(key)}`, rule.remedy);
    delete usable[name];
  }
  const remedy =
    'Use a key of the same account and region, or import one of another account by Key.fromKeyArn';
  const remedies = Object.fromEntries(names.map((name) => [name, remedy])) as { [K in keyof S]?: string };
  return withoutElsewhere(scope, usable, remedies, problems);
}
