import { describe, expect, it } from '@jest/globals';
import { dimensionValue, metricNamespaceProblem } from '../../../lib/observe/metrics/metric-namespace.ts';

describe('a namespace of metrics', () => {
  it.each<[string, string]>([
    ['Shop', 'taken'],
    ['Shop/Orders.v2_a-b#c:d', 'taken'],
    ['AWSShop', 'taken'],
    ['a'.repeat(255), 'taken'],
    ['a'.repeat(256), 'refused'],
    ['', 'refused'],
    ['AWS/Shop', 'refused'],
    [':Shop', 'refused'],
    ['my shop', 'refused'],
    ['Büro', 'refused'],
  ])('%j is %s', (namespace, result) => {
    const isTaken = result === 'taken';
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
