import { describe, expect, it } from '@jest/globals';
import { type App, CfnResource, type Stack } from 'aws-cdk-lib';
import { CfnRole } from 'aws-cdk-lib/aws-iam';
import { CfnFunction } from 'aws-cdk-lib/aws-lambda';
import { CfnQueuePolicy } from 'aws-cdk-lib/aws-sqs';
import { policyBytes, rendered, textBytes } from '../../../lib/constructs/limits/rendered-size.ts';
import { resourcesOfStage } from '../../../lib/constructs/limits/stack-resources.ts';
import { inlineFunction, unbundledStack, violationsOf } from '../support.ts';
import { addEndpoints } from './thirty-endpoints.ts';

function appOfEndpoints(count: number): Stack {
  const stack = unbundledStack();
  addEndpoints(stack, count, (index) => ({ function: inlineFunction(stack, `Function${index}`) }));
  return stack;
}

function cpuMsOfSynth(count: number): number {
  const start = process.cpuUsage();
  (appOfEndpoints(count).node.root as App).synth();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

const largest = (sizes: readonly number[]) => Math.max(...sizes);

const resourcesOf = (stack: Stack) => stack.node.findAll().filter((each) => CfnResource.isCfnResource(each));

function statementsOf(policy: CfnQueuePolicy): number {
  const { Statement } = rendered(policy, policy.policyDocument) as { readonly Statement: unknown };
  return [Statement].flat().length;
}

describe('an app of 30 endpoints that each send to 5 and subscribe to 2 topics', () => {
  it('stays below every limit, with names of 80 characters', () => {
    const stack = appOfEndpoints(30);
    expect(violationsOf(stack)).toBe('');
    const resources = resourcesOf(stack);
    const roles = resources.filter((each) => each instanceof CfnRole);
    const handlers = resources.filter((each) => each instanceof CfnFunction);
    const queuePolicies = resources.filter((each) => each instanceof CfnQueuePolicy);
    expect([roles.length > 30, handlers.length, queuePolicies.length > 90]).toEqual([true, 31, true]);
    const { policiesByHolder } = resourcesOfStage(stack);
    const sizes = {
      resources: resources.length,
      role: largest(
        roles.map((role) =>
          (policiesByHolder.get(role) ?? [])
            .map(({ policyDocument }) => policyBytes(role, policyDocument))
            .reduce((sum, bytes) => sum + bytes, 0),
        ),
      ),
      environment: largest(
        handlers.map((each) =>
          textBytes(each, (rendered(each, each.environment) as { variables: object }).variables),
        ),
      ),
      queuePolicy: largest(queuePolicies.map((each) => policyBytes(each, each.policyDocument))),
      queueStatements: largest(queuePolicies.map(statementsOf)),
    };
    expect(sizes.resources).toBeLessThanOrEqual(500);
    expect(sizes.role).toBeGreaterThan(1_000);
    expect(sizes.role).toBeLessThanOrEqual(10_240);
    expect(sizes.environment).toBeGreaterThan(500);
    expect(sizes.environment).toBeLessThanOrEqual(4_096);
    expect(sizes.queuePolicy).toBeGreaterThan(500);
    expect(sizes.queuePolicy).toBeLessThanOrEqual(8_192);
    expect(sizes.queueStatements).toBeGreaterThan(1);
    expect(sizes.queueStatements).toBeLessThanOrEqual(20);
    // 2026-11: 380 resources, role 4,005, environment 3,310, queue policy 815 bytes and 2 statements.
  });

  it('takes CPU time that grows no more than linearly', () => {
    cpuMsOfSynth(10);
    const ten: number[] = [];
    const thirty: number[] = [];
    for (let round = 0; round < 3; round += 1) {
      ten.push(cpuMsOfSynth(10));
      thirty.push(cpuMsOfSynth(30));
    }
    // The least of each: what else runs on the machine only adds. A third is CDK's own
    // validation of the template. 2026-11: 660 ms and 2,100 ms, or 640 ms and 1,700 ms outside of Jest.
    // Three times as long would be linear, nine times quadratic.
    expect(Math.min(...thirty)).toBeLessThan(4.5 * Math.min(...ten));
  });
});
