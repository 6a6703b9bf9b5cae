import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { emittedMetrics } from '../../../lib/compose/metrics/emitted-metrics.ts';
import type { MessageLogger } from '../../../lib/messages/logger.ts';
import { silentLogger } from '../../../lib/testing/silent-logger.ts';
import { emfSums, readEmf } from '../../support/emf-documents.ts';
import { createTable, dynamoDBClient } from '../../support/engines.ts';
import { invoke } from './invoke.ts';

const SAGABOX_METRICS_NAMESPACE = 'Shop/Messages';

describe('an invocation', () => {
  const client = dynamoDBClient();
  let written: string[];
  const write = () => jest.spyOn(process.stdout, 'write');

  afterEach(() => {
    jest.restoreAllMocks();
    delete process.env.SAGABOX_METRICS_NAMESPACE;
    delete process.env.SAGABOX_METRICS_BY_MESSAGE_TYPE;
  });

  /** One batch, with these variables. */
  async function invokeWith(variables: Record<string, string>, hasMetrics = false) {
    Object.assign(process.env, variables);
    written = [];
    if (!jest.isMockFunction(process.stdout.write))
      write().mockImplementation((text) => written.push(...`${text}`.trimEnd().split('\n')) > 0);
    return await invoke(client, await createTable(), hasMetrics);
  }

  it('writes nothing without a namespace', async () => {
    expect(await invokeWith({})).toEqual({ returned: 2, given: undefined });
    expect(written).toEqual([]);
  });

  it('writes one line of its metrics', async () => {
    const before = Date.now();
    expect((await invokeWith({ SAGABOX_METRICS_NAMESPACE })).returned).toBe(2);
    expect(written).toHaveLength(1);
    const { 'MessageDuration endpoint=orders': duration, ...counts } = emfSums(written);
    expect(counts).toEqual({
      'MessagesHandled endpoint=orders': 2,
      'MessagesDuplicate endpoint=orders': 1,
      'MessagesFailed endpoint=orders': 3,
      'MessageRetries endpoint=orders': 1,
    });
    expect(duration).toBeGreaterThanOrEqual(0);
    const { timestamp, values } = readEmf(written[0] ?? '');
    expect(values.filter(({ name }) => name === 'MessageDuration')).toHaveLength(6);
    expect(timestamp).toBeGreaterThanOrEqual(before);
    expect(timestamp).toBeLessThanOrEqual(Date.now());
    expect(written[0]).toContain(`"Namespace":"${SAGABOX_METRICS_NAMESPACE}"`);
  });

  it('writes a line for each type that it handles, and one for all others, if it is to', async () => {
    const variables = { SAGABOX_METRICS_NAMESPACE, SAGABOX_METRICS_BY_MESSAGE_TYPE: 'true' };
    await invokeWith(variables);
    expect(written).toHaveLength(4);
    expect(emfSums(written)).toMatchObject({
      'MessagesHandled endpoint=orders': 2,
      'MessagesHandled endpoint=orders messageType=Placed': 1,
      'MessagesHandled endpoint=orders messageType=Flaky': 1,
      'MessagesFailed endpoint=orders messageType=Flaky': 1,
      'MessagesFailed endpoint=orders messageType=Broken': 1,
      'MessagesFailed endpoint=orders messageType=unknown': 1,
      'MessagesDuplicate endpoint=orders': 1,
      'MessageRetries endpoint=orders': 1,
    });
  });

  it('gives its metrics to those of Powertools, if it has them, and writes none', async () => {
    const { given } = await invokeWith({ SAGABOX_METRICS_NAMESPACE }, true);
    expect(written).toEqual([]);
    expect(given).toMatchObject({ MessagesHandled: [1, 1], MessagesDuplicate: 1, MessageRetries: 1 });
  });

  it.each<[string, () => boolean]>([
    [
      'throws',
      () => {
        throw new Error('no space left');
      },
    ],
    ['never answers', () => true],
  ])('has the same answer with a stdout that %s', async (_name, take) => {
    write().mockImplementation(take);
    expect((await invokeWith({ SAGABOX_METRICS_NAMESPACE })).returned).toBe(2);
    expect(process.stdout.write).toHaveBeenCalledWith(
      expect.stringContaining('CloudWatchMetrics'),
      expect.anything(),
    );
  });
});

describe('the namespace', () => {
  it('is of no use beside metrics of Powertools', () => {
    expect(emittedMetrics({ metrics: {} as never }, { SAGABOX_METRICS_NAMESPACE })).toBeUndefined();
  });

  it('that CloudWatch would refuse is told in the log, and fails nothing', () => {
    const warnings: string[] = [];
    const logger: MessageLogger = { ...silentLogger, warn: (line) => void warnings.push(line) };
    expect(emittedMetrics({ logger }, { SAGABOX_METRICS_NAMESPACE: 'AWS/Shop' })).toBeUndefined();
    expect(warnings).toEqual([expect.stringMatching(/SAGABOX_METRICS_NAMESPACE: .*'AWS\/'/)]);
  });

  it('that is empty is none', () => {
    expect(emittedMetrics({}, { SAGABOX_METRICS_NAMESPACE: '' })).toBeUndefined();
    expect(emittedMetrics({}, {})).toBeUndefined();
    expect(emittedMetrics({}, { SAGABOX_METRICS_NAMESPACE })).toBeInstanceOf(Function);
  });
});

it('two invocations at once do not mix', async () => {
  const start = emittedMetrics({}, { SAGABOX_METRICS_NAMESPACE });
  const [first, second] = [start?.('orders'), start?.('billing')];
  const written: string[] = [];
  const { write } = process.stdout;
  process.stdout.write = (line) => written.push(String(line)) > 0;
  try {
    first?.add('MessagesHandled', 'Count', 1);
    second?.add('MessagesHandled', 'Count', 2);
    first?.add('MessagesHandled', 'Count', 4);
    await Promise.all([second?.emit(), first?.emit()]);
  } finally {
    process.stdout.write = write;
  }
  expect(emfSums(written.map((line) => line.trimEnd()))).toEqual({
    'MessagesHandled endpoint=billing': 2,
    'MessagesHandled endpoint=orders': 5,
  });
});
