import type { NodejsFunctionProps } from 'aws-cdk-lib/aws-lambda-nodejs';

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
