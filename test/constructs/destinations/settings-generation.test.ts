import { describe, expect, it } from '@jest/globals';
import { App, RemovalPolicy, Stack, Stage, Validations } from 'aws-cdk-lib';
import { Annotations, Match, Template } from 'aws-cdk-lib/assertions';
import { Code, Function as LambdaFunction, RecursiveLoop, Runtime } from 'aws-cdk-lib/aws-lambda';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { AwsSolutionsChecks } from 'cdk-nag';
import { MessageEndpoint } from 'sagabox/constructs';
import { variablesOf } from '../support.ts';

interface Sending {
  readonly count?: number;
  readonly queueId?: string;
  readonly queueName?: string;
  readonly queueStack?: string;
  readonly scope?: App | Stage;
  readonly keepVersions?: boolean;
}

/** An endpoint whose destinations do not fit, and a version of its function. */
function sending({ count = 80, queueId = 'Audit', scope = new App(), ...options }: Sending = {}) {
  const { queueName, queueStack, keepVersions = false } = options;
  const stack = new Stack(scope, 'Shop', { stackName: 'Shop' });
  const currentVersionOptions = keepVersions ? { removalPolicy: RemovalPolicy.RETAIN } : {};
  const handler = new LambdaFunction(stack, 'Own', {
    runtime: Runtime.NODEJS_24_X,
    handler: 'index.handler',
    code: Code.fromInline('export const handler = async () => {};'),
    recursiveLoop: RecursiveLoop.ALLOW,
    currentVersionOptions,
  });
  const orders = new MessageEndpoint(stack, 'Orders', { function: handler });
  const holder = queueStack === undefined ? stack : new Stack(scope, queueStack, { stackName: queueStack });
  const queue = new Queue(holder, queueId, queueName === undefined ? {} : { queueName });
  for (let index = 0; index < count; index++) orders.sendsTo({ name: `destination-${index}`, queue });
  void handler.currentVersion;
  const template = Template.fromStack(stack);
  const parameters = template.findResources('AWS::SSM::Parameter');
  return {
    stack,
    reference: String(variablesOf(stack, 'Own').SAGABOX_DESTINATIONS),
    version: Object.keys(template.findResources('AWS::Lambda::Version')),
    logicalIds: Object.keys(parameters),
    names: Object.values(parameters).map(({ Properties }) => String(Properties.Name)),
    policies: new Set(
      Object.values(parameters).map(({ DeletionPolicy, UpdateReplacePolicy }) =>
        [DeletionPolicy, UpdateReplacePolicy].join(),
      ),
    ),
  };
}

function expectAnother(one: ReturnType<typeof sending>, other: ReturnType<typeof sending>): void {
  expect(one.reference).toMatch(/^ssm:/);
  expect(other.reference).toMatch(/^ssm:/);
  expect(other.reference).not.toBe(one.reference);
  expect([one.version.length, other.version.length]).toEqual([1, 1]);
  expect(other.version).not.toEqual(one.version);
  expect(other.logicalIds.filter((id) => one.logicalIds.includes(id))).toEqual([]);
  expect(other.names.filter((name) => one.names.includes(name))).toEqual([]);
}

describe('a generation of moved settings', () => {
  it('is the same for the same settings, also under a Stage', () => {
    const { stack: _, ...first } = sending();
    expect(sending()).toMatchObject(first);
    expect(sending({ scope: new Stage(new App(), 'Prod') }).reference).toBe(first.reference);
  });

  it.each<[string, Sending, Sending]>([
    ['a new logical id of the queue', {}, { queueId: 'AuditTrail' }],
    [
      'a new name of the queue, which leaves its reference as it is',
      { queueName: 'a'.repeat(80) },
      { queueName: 'b'.repeat(80) },
    ],
    ['one more destination', {}, { count: 81 }],
    ['an equally named queue of another stack', {}, { queueStack: 'Base' }],
    ['another stack of the queue', { queueStack: 'Base' }, { queueStack: 'Ground' }],
  ])('changes with %s, and with it the function, its version id, and the parameters', (_, one, other) => {
    expectAnother(sending(one), sending(other));
  });

  it('goes with the version that reads it', () => {
    expect(sending().policies).toEqual(new Set([',']));
  });

  it('stays when the function keeps its versions, but not when its deployment fails', () => {
    expect(sending({ keepVersions: true }).policies).toEqual(new Set(['RetainExceptOnCreate,Retain']));
  });

  it('is told of, with no warning', () => {
    const annotations = Annotations.fromStack(sending().stack);
    annotations.hasInfo('/Shop/Orders/Settings', Match.stringLikeRegexp('SAGABOX_DESTINATIONS has no room'));
    expect(annotations.findWarning('*', Match.stringLikeRegexp('SAGABOX_DESTINATIONS'))).toEqual([]);
    expect(Annotations.fromStack(sending({ count: 1 }).stack).findInfo('*', Match.anyValue())).toEqual([]);
  });

  it('may be read without a finding of the AwsSolutions rules for the wildcard', () => {
    const scope = new App();
    Validations.of(scope).addPlugins(new AwsSolutionsChecks(scope, { verbose: true }));
    // The function of the test has a finding of its own.
    expect(() => sending({ scope })).toThrow(/^(?![\s\S]*IAM5)[\s\S]*IAM4/);
  });
});
