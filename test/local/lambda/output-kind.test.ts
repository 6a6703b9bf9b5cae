import { expect, it } from '@jest/globals';
import { outputKind } from '../../../lib/local/lambda/output-kind.ts';
import { EmfMetrics } from '../../../lib/observe/metrics/emf-metrics.ts';

const metrics = new EmfMetrics({ namespace: 'Shop', endpoint: 'orders' });
metrics.add('MessagesHandled', 'Count', 1);
const [written = ''] = metrics.lines(new Date(0));

it.each([
  ['metrics', written],
  ['log', written.slice(0, -1)],
  ['log', `orders: ${written}`],
  ['log', '{"_aws":{"Timestamp":0,"CloudWatchMetrics":"none"}}'],
  ['log', '{"message":"no \\"CloudWatchMetrics\\" here"}'],
  ['log', 'handled'],
  ['log', ''],
])('a line is taken for %s: %s', (kind, line) => {
  expect(outputKind(line)).toBe(kind);
});
