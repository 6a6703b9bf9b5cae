import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { reportRelayMetrics } from '../../../lib/compose/relay/report-relay-metrics.ts';
import type { RelayResult, RelayRunResult } from '../../../lib/relay/relay-result.ts';
import { silentLogger } from '../../../lib/testing/silent-logger.ts';
import { emfSums } from '../../support/emf-documents.ts';

const now = new Date('2026-01-02T03:04:05.678Z');
const nothing: RelayResult = {
  found: 0,
  dispatched: 0,
  held: 0,
  postponed: 0,
  settled: 0,
  failed: [],
  complete: true,
  searchError: undefined,
  capacity: { readUnits: 0, writeUnits: 0 },
};
const oldestStoredAt = new Date(now.getTime() - 3_600_400);
const some: RelayResult = { ...nothing, found: 7, dispatched: 3, settled: 1, postponed: 2, oldestStoredAt };
const result: RelayRunResult = {
  ...some,
  endpoints: { orders: some, billing: nothing },
  unknownEndpoints: {},
};

let written: string[];
const { write } = process.stdout;
beforeEach(() => {
  written = [];
  process.stdout.write = (line) => written.push(String(line)) > 0;
});
afterEach(() => {
  process.stdout.write = write;
  delete process.env.SAGABOX_METRICS_NAMESPACE;
});

describe('the metrics of a run of the relay', () => {
  it('are a line for each endpoint, also for one of which nothing was found', async () => {
    process.env.SAGABOX_METRICS_NAMESPACE = 'Shop';
    reportRelayMetrics({}, result, now);
    expect(written).toHaveLength(2);
    expect(emfSums(written.map((line) => line.trimEnd()))).toEqual({
      'RecordsUndispatched endpoint=orders': 7,
      'RecordsRelayed endpoint=orders': 3,
      'RecordsNotRelayed endpoint=orders': 3,
      'OldestUndispatchedRecordAge endpoint=orders': 3600,
      'RecordsUndispatched endpoint=billing': 0,
      'RecordsRelayed endpoint=billing': 0,
      'RecordsNotRelayed endpoint=billing': 0,
      'OldestUndispatchedRecordAge endpoint=billing': 0,
    });
  });

  it('are none without a namespace', async () => {
    reportRelayMetrics({}, result, now);
    expect(written).toEqual([]);
  });

  it('go to the metrics that are given, which may fail', async () => {
    process.env.SAGABOX_METRICS_NAMESPACE = 'Shop';
    const counted: unknown[] = [];
    reportRelayMetrics({ metrics: { addMetric: (...metric) => void counted.push(metric) } }, result, now);
    expect(counted).toContainEqual(['OldestUndispatchedRecordAge', 'Seconds', 3600]);
    expect(counted).toHaveLength(8);
    const addMetric = () => {
      throw new Error('away');
    };
    reportRelayMetrics({ metrics: { addMetric }, logger: silentLogger }, result, now);
    expect(written).toEqual([]);
  });
});
