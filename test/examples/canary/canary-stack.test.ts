import { beforeAll, describe, expect, it } from '@jest/globals';
import type { App, Stack } from 'aws-cdk-lib';
import { Match, Template } from 'aws-cdk-lib/assertions';
import { CanaryStack } from '../../../examples/canary/canary-stack.ts';
import { unbundledStack, violationsOf } from '../../constructs/support.ts';

describe('examples/canary', () => {
  let stack: Stack;
  let template: Template;

  beforeAll(() => {
    stack = new CanaryStack(unbundledStack().node.root as App, 'Canary');
    template = Template.fromStack(stack);
  });

  it('synthesizes without a violation', () => {
    expect(violationsOf(stack)).toBe('');
  });

  it('brings the messages to the alias, which CodeDeploy shifts', () => {
    template.hasResourceProperties('AWS::Lambda::EventSourceMapping', {
      FunctionName: Match.objectLike({ 'Fn::Join': ['', Match.arrayWith([':live'])] }),
    });
    template.hasResource('AWS::Lambda::Alias', {
      Properties: { Name: 'live' },
      UpdatePolicy: {
        CodeDeployLambdaAliasUpdate: {
          DeploymentGroupName: { Ref: Match.stringLikeRegexp('^OrdersDeployment') },
        },
      },
    });
  });

  it("rolls back on the endpoint's alarms", () => {
    template.hasResourceProperties('AWS::CodeDeploy::DeploymentGroup', {
      DeploymentConfigName: 'CodeDeployDefault.LambdaCanary10Percent10Minutes',
      AlarmConfiguration: {
        Enabled: true,
        Alarms: ['FunctionErrors', 'Errors', 'DeadLetters'].map((name) => ({
          Name: { Ref: Match.stringLikeRegexp(`^OrdersMonitoring${name}`) },
        })),
      },
      AutoRollbackConfiguration: {
        Enabled: true,
        Events: ['DEPLOYMENT_FAILURE', 'DEPLOYMENT_STOP_ON_REQUEST', 'DEPLOYMENT_STOP_ON_ALARM'],
      },
    });
  });

  it('looks at alarms that are raised within the ten minutes of the canary', () => {
    const alarms = Object.entries(template.findResources('AWS::CloudWatch::Alarm')).filter(([id]) =>
      /Monitoring(?:FunctionErrors|Errors|DeadLetters)/.test(id),
    );
    expect(alarms).toHaveLength(3);
    for (const [, { Properties }] of alarms) {
      const period = Properties.Period ?? Properties.Metrics[0].MetricStat.Period;
      expect(period * Properties.EvaluationPeriods).toBeLessThan(600);
    }
  });
});
