import { describe, expect, it } from '@jest/globals';
import { Lazy } from 'aws-cdk-lib';
import { Construct } from 'constructs';
import { SagaTable } from 'sagabox/constructs';
import { Violations } from '../../lib/constructs/violations.ts';
import { ordersEndpoint, synthFailureOf, unbundledStack, violationsOf } from './support.ts';

describe('Violations', () => {
  it('are what the synth fails with', () => {
    const { stack } = ordersEndpoint((scope) => ({
      batchSize: 0,
      maxConcurrency: 1,
      sagaTable: new SagaTable(scope, 'Sagas', { tableName: 'a b' }),
    }));
    const found = violationsOf(stack);
    expect(found.match(/^ {2}\[Test\/\w+\] /gm)).toHaveLength(3);
    expect(synthFailureOf(stack)).toBe(found);
  });

  it('reports all problems of a construct at synth, with its path', () => {
    const stack = unbundledStack();
    const violations = new Violations(new Construct(stack, 'Part'), () => ['found at synth']);
    violations.add('first', 'it is odd', 'Use an even one');
    violations.add('second', 'it is empty', 'Leave it out');
    const found = violationsOf(stack);
    expect(found).toContain('[Test/Part] first: it is odd. Use an even one.');
    expect(found).toContain('[Test/Part] second: it is empty. Leave it out.');
    expect(found).toContain('[Test/Part] found at synth');
  });

  it.each([
    [0, 5, 'batchSize: 0 is out of range. Use a whole number from 1 to 10.'],
    [1, 1, 'nothing'],
    [10, 10, 'nothing'],
    [11, 5, 'batchSize: 11 is out of range. Use a whole number from 1 to 10.'],
    [undefined, undefined, 'nothing'],
  ])('takes %p for %p, and reports: %s', (value, used, listed) => {
    const report = listed === 'nothing' ? '' : listed;
    const stack = unbundledStack();
    const violations = new Violations(new Construct(stack, 'Part'));
    expect(violations.inRange('batchSize', value, { min: 1, max: 10 }, 5)).toBe(used);
    const found = violationsOf(stack);
    if (report === '') expect(found).toBe('');
    else expect(found).toContain(report);
  });

  it('takes a value that is known only at deployment', () => {
    const stack = unbundledStack();
    const violations = new Violations(new Construct(stack, 'Part'));
    const later = Lazy.number({ produce: () => 99 });
    expect(violations.inRange('batchSize', later, { min: 1, max: 10 }, 5)).toBe(later);
    expect(violationsOf(stack)).toBe('');
  });
});
