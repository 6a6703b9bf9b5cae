import { describe, expect, it } from '@jest/globals';
import { type FaultRule, planFaults } from '../../../lib/local/proxy/faults.ts';
import type { ProxiedCall } from '../../../lib/local/proxy/proxied-call.ts';

function call(operation: string): ProxiedCall {
  return { instanceId: 'i', functionName: 'f', service: 'dynamodb', operation, request: {} };
}

function rule(name: string, operation: string, atCalls: number[]): FaultRule {
  return { name, kill: 'beforeCall', matches: (made) => made.operation === operation, atCalls };
}

describe('a plan of faults', () => {
  it('hits the chosen ones of the calls that match', () => {
    const plan = planFaults([rule('put', 'PutItem', [2, 3])]);
    const hits = ['PutItem', 'GetItem', 'PutItem', 'PutItem', 'PutItem'].map(
      (name) => plan(call(name))?.name,
    );
    expect(hits).toEqual([undefined, undefined, 'put', 'put', undefined]);
  });

  it('lets every rule count every call, also one that another rule hits', () => {
    const plan = planFaults([rule('first', 'PutItem', [1]), rule('second', 'PutItem', [2])]);
    expect([plan(call('PutItem'))?.name, plan(call('PutItem'))?.name]).toEqual(['first', 'second']);
  });
});
