import { describe, expect, it } from '@jest/globals';
import { dimensionValue, metricNamespaceProblem } from '../../../lib/core/metrics/metric-namespace.ts';

describe('a namespace of metrics', () => {
  it.each<[string, boolean]>([
    ['Shop', true],
    ['Shop/Orders.v2_a-b#c:d', true],
    ['AWSShop', true],
    ['a'.repeat(255), true],
    ['a'.repeat(256), false],
    ['', false],
    ['AWS/Shop', false],
    [':Shop', false],
    ['my shop', false],
    ['Büro', false],
  ])('%j is taken: %s', (namespace, isTaken) => {
    const problem = metricNamespaceProblem(namespace);
    expect(problem === undefined).toBe(isTaken);
    if (problem) expect(problem.remedy).toMatch(/^Use /);
  });
});

it.each([
  ['orders', 'orders'],
  ['Büro 😀', 'B?ro ?'],
  [':orders', '?orders'],
  ['a\nb', 'a?b'],
  ['a'.repeat(256), 'a'.repeat(255)],
])('the value of a dimension is one that CloudWatch takes: %j', (name, value) => {
  expect(dimensionValue(name)).toBe(value);
});
