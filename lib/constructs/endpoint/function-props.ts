import { LoggingFormat, type Runtime, Tracing } from 'aws-cdk-lib/aws-lambda';
import { type BundlingOptions, type NodejsFunctionProps, OutputFormat } from 'aws-cdk-lib/aws-lambda-nodejs';
import { aNumber, aString, type Check, kind } from '../../kernel/checks/checks.ts';
import { propsOfCdk } from '../checks/prop-checks.ts';
import { aConstruct, aNameOf, hasMembers, memberOf, strings } from '../checks/prop-kinds.ts';
import { unusableRuntime } from './node-runtime.ts';

const aRuntime = kind(
  'a Runtime',
  (value) => hasMembers(value, 'name', 'family'),
  'Use one such as Runtime.NODEJS_24_X',
);

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

const passedOn = propsOfCdk({
  role: aConstruct('a role', 'roleArn', 'addToPrincipalPolicy'),
  logGroup: aConstruct('a log group', 'logGroupRef'),
  vpc: aConstruct('a VPC', 'vpcId'),
  runtime: (value, at, report) => {
    const runtime = aRuntime(value, at, report) as Runtime | undefined;
    const unusable = runtime && unusableRuntime(runtime);
    if (!unusable) return runtime;
    report.add(at, `it is ${unusable}`, 'Use Runtime.NODEJS_24_X');
    return undefined;
  },
  tracing: memberOf('Tracing', Tracing),
  loggingFormat: memberOf('LoggingFormat', LoggingFormat),
  reservedConcurrentExecutions: aNumber,
  // Source: CreateFunction in the AWS Lambda API Reference (FunctionName).
  functionName: aNameOf(
    'a function',
    /^[\w-]{1,64}$/,
    'Use 1 to 64 letters, digits, hyphens and underscores',
  ),
  depsLockFilePath: aString,
  projectRoot: aString,
} satisfies Partial<Record<keyof FunctionProps, Check>>);

/** Props for the function of a construct, without those that it sets by itself. */
export function functionPropsCheck(owner: 'endpoint' | 'relay'): Check {
  return (given, at, report) => {
    const props = passedOn(given, at, report) as FunctionProps | undefined;
    const own = Object.entries(props ?? {}).filter(([name]) => {
      if (!isOwned(name)) return true;
      const remedy = owner === 'endpoint' ? ownedSettings[name] : 'Leave it out';
      report.add(`${at}.${name}`, `it belongs to the ${owner}`, remedy);
      return false;
    });
    return props && Object.fromEntries(own);
  };
}

function isOwned(name: string): name is keyof typeof ownedSettings {
  return Object.hasOwn(ownedSettings, name);
}

export const bundlingCheck = propsOfCdk({
  format: memberOf('OutputFormat', OutputFormat),
  banner: aString,
  mainFields: strings,
  externalModules: strings,
  nodeModules: strings,
} satisfies Partial<Record<keyof BundlingOptions, Check>>);
