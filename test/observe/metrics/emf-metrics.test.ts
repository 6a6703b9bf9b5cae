import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { EmfMetrics, type EmfSettings } from '../../../lib/observe/metrics/emf-metrics.ts';
import { type MetricUnit, metricNames } from '../../../lib/observe/metrics/metric-names.ts';
import { emfSums, readEmf } from '../../support/emf-documents.ts';
import { sampled } from '../../support/samples.ts';

const at = new Date('2026-01-02T03:04:05.678Z');

function metricsOf(settings: Partial<EmfSettings> = {}): EmfMetrics {
  return new EmfMetrics({ namespace: 'Shop', endpoint: 'orders', ...settings });
}

describe('the metrics of an invocation', () => {
  it('are a line: counts as a sum, durations as their values, by endpoint', () => {
    const metrics = metricsOf();
    metrics.add('MessagesHandled', 'Count', 1, 'Placed');
    metrics.add('MessageDuration', 'Milliseconds', 12, 'Placed');
    metrics.add('MessagesHandled', 'Count', 1, 'Paid');
    metrics.add('MessageDuration', 'Milliseconds', 7, 'Paid');
    expect(metrics.lines(at).map((line) => JSON.parse(line))).toEqual([
      {
        _aws: {
          Timestamp: at.getTime(),
          CloudWatchMetrics: [
            {
              Namespace: 'Shop',
              Dimensions: [['endpoint']],
              Metrics: [
                { Name: 'MessagesHandled', Unit: 'Count' },
                { Name: 'MessageDuration', Unit: 'Milliseconds' },
              ],
            },
          ],
        },
        endpoint: 'orders',
        MessagesHandled: 2,
        MessageDuration: [12, 7],
      },
    ]);
  });

  it('are no line when nothing was counted', () => {
    expect(metricsOf().lines(at)).toEqual([]);
    expect(metricsOf({ messageTypes: new Set(['Placed']) }).lines(at)).toEqual([]);
  });

  it.each([
    [100, [100]],
    [101, [100, 1]],
    [250, [100, 100, 50]],
  ])('of %i values are in lines of %j, with each count once', (values, lengths) => {
    const metrics = metricsOf();
    for (let value = 1; value <= values; value += 1) metrics.add('MessageDuration', 'Milliseconds', value);
    metrics.add('MessagesHandled', 'Count', values);
    const lines = metrics.lines(at);
    const durations = lines.map((line) => readEmf(line).values.filter(({ unit }) => unit !== 'Count'));
    expect(durations.map(({ length }) => length)).toEqual(lengths);
    expect(emfSums(lines)).toEqual({
      'MessageDuration endpoint=orders': (values * (values + 1)) / 2,
      'MessagesHandled endpoint=orders': values,
    });
  });

  it('stay far below the size of a log event, with the longest names and all metrics full of values', () => {
    const metrics = metricsOf({ namespace: 'n'.repeat(255), endpoint: 'é'.repeat(2000) });
    for (const name of Object.values(metricNames))
      for (let each = 0; each < 100; each += 1) metrics.add(name, 'Milliseconds', Math.PI * 1e12 + each);
    const [line = '', ...others] = metrics.lines(at);
    expect(others).toEqual([]);
    expect(line.length).toBeLessThan(64 * 1024);
    expect(readEmf(line).values).toHaveLength(100 * Object.keys(metricNames).length);
  });
});

describe('the metrics by message type', () => {
  it('are outcomes and durations, in a line for each type, with what is counted by endpoint alone in the first', () => {
    const metrics = metricsOf({ messageTypes: new Set(['Placed', 'Paid']) });
    for (const type of ['Placed', 'Paid', 'Placed']) {
      metrics.add('MessagesHandled', 'Count', 1, type);
      metrics.add('MessageDuration', 'Milliseconds', 5, type);
      metrics.add('SagaConflicts', 'Count', 1, type);
    }
    const lines = metrics.lines(at);
    expect(lines).toHaveLength(2);
    expect(emfSums(lines)).toEqual({
      'SagaConflicts endpoint=orders': 3,
      'MessagesHandled endpoint=orders': 3,
      'MessagesHandled endpoint=orders messageType=Placed': 2,
      'MessagesHandled endpoint=orders messageType=Paid': 1,
      'MessageDuration endpoint=orders': 15,
      'MessageDuration endpoint=orders messageType=Placed': 10,
      'MessageDuration endpoint=orders messageType=Paid': 5,
    });
  });

  it('are of one type for all that the endpoint does not handle: a sender cannot make metrics', () => {
    const metrics = metricsOf({ messageTypes: new Set(['Placed']) });
    for (const type of ['a', 'b', '__proto__', 'Placed']) metrics.add('MessagesFailed', 'Count', 1, type);
    expect(emfSums(metrics.lines(at))).toEqual({
      'MessagesFailed endpoint=orders': 4,
      'MessagesFailed endpoint=orders messageType=unknown': 3,
      'MessagesFailed endpoint=orders messageType=Placed': 1,
    });
  });

  it('are left out where no message belongs to a metric', () => {
    const metrics = metricsOf({ messageTypes: new Set(['Placed']) });
    metrics.add('RecordsRelayed', 'Count', 4);
    expect(emfSums(metrics.lines(at))).toEqual({ 'RecordsRelayed endpoint=orders': 4 });
  });
});

it('random metrics have the same sums in the lines, each of which is a valid document', () => {
  const metric = fc.record({
    name: fc.constantFrom(...Object.values(metricNames)),
    value: fc.integer({ min: 0, max: 900_000 }),
    type: fc.option(fc.constantFrom('Placed', 'Paid', 'other', 'Bezahlt€'), { nil: undefined }),
  });
  const types = fc.option(fc.constant(new Set(['Placed', 'Paid', 'Bezahlt€'])), { nil: undefined });
  const unitOf = (name: string): MetricUnit => (/Duration|Age/.test(name) ? 'Milliseconds' : 'Count');
  fc.assert(
    fc.property(fc.array(metric, { maxLength: 600, size: 'max' }), types, (counted, messageTypes) => {
      const metrics = metricsOf({ messageTypes });
      const expected: Record<string, number> = {};
      for (const { name, value, type } of counted) {
        metrics.add(name, unitOf(name), value, type);
        const key = `${name} endpoint=orders`;
        expected[key] = (expected[key] ?? 0) + value;
      }
      const sums = Object.entries(emfSums(metrics.lines(at)));
      const byEndpoint = Object.fromEntries(sums.filter(([key]) => !key.includes('messageType')));
      expect(byEndpoint).toEqual(expected);
    }),
    sampled(60),
  );
});
