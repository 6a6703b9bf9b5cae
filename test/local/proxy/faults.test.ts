import { describe, expect, it } from '@jest/globals';
import { FaultPlan, type FaultRule } from '../../../lib/local/proxy/faults.ts';
import type { ProxiedCall } from '../../../lib/local/proxy/proxied-call.ts';

function call(operation: string): ProxiedCall {
  return { instanceId: 'i', functionName: 'f', service: 'dynamodb', operation, request: {} };
}

function rule(name: string, operation: string, atCalls: number[]): FaultRule {
  return { name, kill: 'beforeCall', matches: (made) => made.operation === operation, atCalls };
}

describe('a plan of faults', () => {
  it('hits the chosen ones of the calls that match', () => {
    const plan = new FaultPlan([rule('put', 'PutItem', [2, 3])]);
    const hits = ['PutItem', 'GetItem', 'PutItem', 'PutItem', 'PutItem'].map(
      (name) => plan.next(call(name))?.name,
    );
    expect(hits).toEqual([undefined, undefined, 'put', 'put', undefined]);
  });

  it('lets every rule count every call, also one that another rule hits', () => {
    const plan = new FaultPlan([rule('first', 'PutItem', [1]), rule('second', 'PutItem', [2])]);
    expect([plan.next(call('PutItem'))?.name, plan.next(call('PutItem'))?.name]).toEqual(['first', 'second']);
  });
});
