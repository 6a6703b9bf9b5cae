import { LoggingFormat, Tracing } from 'aws-cdk-lib/aws-lambda';
import { type BundlingOptions, type NodejsFunctionProps, OutputFormat } from 'aws-cdk-lib/aws-lambda-nodejs';
import { aNumber, aString, type Check, kind } from '../../core/checks/checks.ts';
import { propsOfCdk } from '../checks/prop-checks.ts';
import { aConstruct, hasMembers, memberOf, strings } from '../checks/prop-kinds.ts';
import { isKnown } from '../is-known.ts';
import { unusableRuntime } from './node-runtime.ts';

const ownProp = (name: string) => `Use ${name} of the endpoint`;

/** What the endpoint sets by itself, with what to use in its place. */
export const ownedSettings = {
  entry: ownProp('entry'),
  handler: "Export the handler as 'handler'",
  code: ownProp('entry'),
  timeout: ownProp('functionTimeout'),
  memorySize: ownProp('memorySizeMb'),
  architecture: ownProp('architecture'),
  bundling: ownProp('bundling'),
  recursiveLoop: ownProp('recursiveLoop'),
  environment: ownProp('environment'),
  events: 'Add other event sources to the function of the endpoint',
  logRetention: ownProp('logRetention'),
  logRetentionRole: ownProp('logRetention'),
  logRetentionRetryOptions: ownProp('logRetention'),
  logRemovalPolicy: ownProp('removalPolicy'),
  logFormat: 'Use loggingFormat',
} as const;

/** Settings of CDK's `NodejsFunction` that the endpoint passes on as they are. */
export type FunctionProps = Omit<NodejsFunctionProps, keyof typeof ownedSettings>;

/** Of what is read or passed on here. */
export const functionPropsCheck = propsOfCdk({
  role: aConstruct('a role', 'roleArn', 'addToPrincipalPolicy'),
  logGroup: aConstruct('a log group', 'logGroupRef'),
  vpc: aConstruct('a VPC', 'vpcId'),
  runtime: kind(
    'a Runtime',
    (value) => hasMembers(value, 'name', 'family'),
    'Use one such as Runtime.NODEJS_24_X',
  ),
  tracing: memberOf('Tracing', Tracing),
  loggingFormat: memberOf('LoggingFormat', LoggingFormat),
  reservedConcurrentExecutions: aNumber,
  functionName: aString,
  depsLockFilePath: aString,
  projectRoot: aString,
} satisfies Partial<Record<keyof FunctionProps, Check>>);

export const bundlingCheck = propsOfCdk({
  format: memberOf('OutputFormat', OutputFormat),
  banner: aString,
  mainFields: strings,
  externalModules: strings,
  nodeModules: strings,
} satisfies Partial<Record<keyof BundlingOptions, Check>>);

interface FunctionPropRule {
  readonly name: string;
  /** @returns cause and remedy when the rule is violated */
  problemOf(props: FunctionProps): { readonly problem: string; readonly remedy: string } | undefined;
}

export const functionPropRules: readonly FunctionPropRule[] = [
  {
    name: 'runtimeIsOfNode',
    problemOf: ({ runtime }) => {
      const unusable = runtime && unusableRuntime(runtime);
      return unusable
        ? { problem: `runtime: it is ${unusable}`, remedy: 'Use Runtime.NODEJS_24_X' }
        : undefined;
    },
  },
  {
    /** Source: CreateFunction in the AWS Lambda API Reference (FunctionName). */
    name: 'functionNameIsOne',
    problemOf: ({ functionName }) =>
      functionName === undefined || !isKnown(functionName) || /^[\w-]{1,64}$/.test(functionName)
        ? undefined
        : {
            problem: `functionName: '${functionName}' is no name of a function`,
            remedy: 'Use 1 to 64 letters, digits, hyphens and underscores',
          },
  },
];
