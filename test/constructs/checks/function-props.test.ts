import { describe, expect, it } from '@jest/globals';
import type { Stack } from 'aws-cdk-lib';
import { Vpc } from 'aws-cdk-lib/aws-ec2';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { LoggingFormat, Runtime, Tracing } from 'aws-cdk-lib/aws-lambda';
import { OutputFormat } from 'aws-cdk-lib/aws-lambda-nodejs';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { MessageEndpoint, OutboxRelay, OutboxTable } from 'sagabox/constructs';
import { entry } from '../endpoint/bundled-endpoint.ts';
import { inlineEndpoint, unbundledStack, violationsOf } from '../support.ts';

/** As plain JavaScript can pass them. */
type Settings = { readonly functionProps?: object; readonly bundling?: object };

const makers: Readonly<Record<string, (stack: Stack, settings: Settings) => unknown>> = {
  endpoint: (stack, settings) => new MessageEndpoint(stack, 'Made', { entry, ...settings }),
  relay: (stack, settings) => {
    const endpoints = [inlineEndpoint(stack, 'Orders', { outboxTable: new OutboxTable(stack, 'Outbox') })];
    return new OutboxRelay(stack, 'Made', { endpoints, ...settings });
  },
};

describe.each(Object.entries(makers))("CDK's own settings of the function of the %s", (_, make) => {
  const reportsOf = (settings: (stack: Stack) => Settings) => {
    const stack = unbundledStack();
    make(stack, settings(stack));
    return violationsOf(stack);
  };

  it.each<[setting: string, value: unknown, report: string]>([
    ['role', 'arn:aws:iam::111111111111:role/x', "'arn:aws:iam::111111111111:role/x' is not a role"],
    ['logGroup', 'orders', "'orders' is not a log group"],
    ['vpc', 'vpc-1', "'vpc-1' is not a VPC"],
    ['runtime', 'nodejs24.x', "'nodejs24.x' is not a Runtime. Use one such as Runtime.NODEJS_24_X"],
    ['tracing', 'active', "'active' is not known. Use a value of Tracing"],
    ['loggingFormat', 'json', "'json' is not known. Use a value of LoggingFormat"],
    ['reservedConcurrentExecutions', '5', "'5' is not a number"],
    ['functionName', 5, '5 is no name of a function'],
    ['depsLockFilePath', true, 'true is not a string'],
    ['projectRoot', null, 'null is not a string'],
  ])('are reported if they are of another kind: functionProps.%s', (setting, value, report) => {
    expect(reportsOf(() => ({ functionProps: { [setting]: value } }))).toContain(
      `[Test/Made] functionProps.${setting}: ${report}`,
    );
  });

  it.each<[setting: string, value: unknown, report: string]>([
    ['format', 'es', "format: 'es' is not known. Use a value of OutputFormat"],
    ['banner', 5, 'banner: 5 is not a string'],
    ['mainFields', 'main', "mainFields: 'main' is not a list"],
    ['externalModules', [5], 'externalModules[0]: 5 is not a string'],
    ['nodeModules', 'sharp', "nodeModules: 'sharp' is not a list"],
  ])('are reported if they are of another kind: bundling.%s', (setting, value, report) => {
    expect(reportsOf(() => ({ bundling: { [setting]: value } }))).toContain(`[Test/Made] bundling.${report}`);
  });

  it('are taken as they are to be', () => {
    const settings = (stack: Stack): Settings => ({
      functionProps: {
        role: new Role(stack, 'Role', { assumedBy: new ServicePrincipal('lambda.amazonaws.com') }),
        logGroup: new LogGroup(stack, 'LogGroup'),
        vpc: new Vpc(stack, 'Vpc'),
        runtime: Runtime.NODEJS_22_X,
        tracing: Tracing.ACTIVE,
        loggingFormat: LoggingFormat.TEXT,
        description: 'Left to CDK',
      },
      bundling: { format: OutputFormat.CJS, externalModules: ['sharp'], keepNames: true },
    });
    expect(reportsOf(settings)).toBe('');
  });
});
