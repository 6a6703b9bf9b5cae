import { expect, it } from '@jest/globals';
import type { SQSRecord } from 'aws-lambda';
import type { DeliveryOutcome } from '../../lib/attempt/delivery-outcome.ts';
import { processBatch } from '../../lib/pipeline/batch.ts';

const arn = 'arn:aws:sqs:us-east-1:000000000000:orders';
const recordOf = (messageId: string, fields: object = {}) =>
  ({ messageId, eventSourceARN: arn, ...fields }) as SQSRecord;
const standard = (messageId: string, group?: string) =>
  recordOf(messageId, { attributes: { MessageGroupId: group } });
const fifo = (messageId: string, fields: object = {}): SQSRecord => {
  return { ...standard(messageId, messageId[0]), eventSourceARN: `${arn}.fifo`, ...fields };
};

/** The messages end as they are given, and are acknowledged otherwise. */
async function run(
  records: readonly SQSRecord[],
  outcomes: Record<string, DeliveryOutcome | Error> = {},
  concurrency = 10,
) {
  const steps: string[] = [];
  const returned = await processBatch(records, concurrency, async ({ messageId }) => {
    steps.push(`+${messageId}`);
    await new Promise(setImmediate);
    steps.push(`-${messageId}`);
    const outcome = outcomes[messageId] ?? 'acknowledged';
    if (outcome instanceof Error) throw outcome;
    return outcome;
  });
  const delays = returned.map(({ record, retryInSeconds }) => [record.messageId, retryInSeconds]);
  return { steps, delays };
}

const later = (retryInSeconds: number) => ({ retryInSeconds });
const lastDelivery = { retryInSeconds: 7, leavesQueue: true };

it('runs as many messages at a time as it may, and no more', async () => {
  const { steps } = await run([standard('a'), standard('b'), standard('c')], {}, 2);
  expect(steps).toEqual(['+a', '+b', '-a', '+c', '-b', '-c']);
});

it('runs the messages of one FIFO group in order, and of other groups meanwhile', async () => {
  const { steps } = await run([fifo('a1'), fifo('a2'), fifo('b1')]);
  expect(steps).toEqual(['+a1', '+b1', '-a1', '+a2', '-b1', '-a2']);
});

const groupA = ['a1', 'a2', 'a3', 'a4'].map((id) => fifo(id));

it.each<[string, SQSRecord[], Parameters<typeof run>[1], string, unknown[]]>([
  ['only the message that failed', [standard('a'), standard('b')], { a: later(7) }, 'a b', [['a', 7]]],
  [
    'those behind a failed message of its FIFO group, unstarted and with its delay',
    [fifo('a1'), fifo('b1'), fifo('a2'), fifo('b2'), fifo('a3')],
    { a1: later(30), b2: later(0) },
    'a1 b1 b2',
    [
      ['a1', 30],
      ['a2', 30],
      ['a3', 30],
      ['b2', 0],
    ],
  ],
  [
    'none behind a message of a FIFO group that leaves the queue',
    groupA,
    { a1: lastDelivery, a3: later(30) },
    'a1 a2 a3',
    [
      ['a1', 7],
      ['a3', 30],
      ['a4', 30],
    ],
  ],
  ['a message that breaks, with no delay', [standard('a')], { a: new Error('x') }, 'a', [['a', undefined]]],
  [
    'only the message that failed of a group of a standard queue',
    [standard('a', 'tenant'), standard('b', 'tenant')],
    { a: later(7) },
    'a b',
    [['a', 7]],
  ],
  ['no message without attributes that is handled', [recordOf('bare')], {}, 'bare', []],
  ...[5, {}, null].map(
    (eventSourceARN): [string, SQSRecord[], Parameters<typeof run>[1], string, unknown[]] => [
      `only a message that names its queue as ${JSON.stringify(eventSourceARN)}`,
      [fifo('a0', { eventSourceARN }), fifo('a1')],
      { a0: later(7) },
      'a0 a1',
      [['a0', 7]],
    ],
  ),
  [
    'only a message whose group is no string',
    [fifo('a0', { attributes: { MessageGroupId: { toString: 1 } } }), fifo('a1')],
    { a0: later(7) },
    'a0 a1',
    [['a0', 7]],
  ],
])('returns %s', async (_what, records, outcomes, started, expected) => {
  const { steps, delays } = await run(records, outcomes);
  expect(steps.flatMap((step) => (step.startsWith('+') ? step.slice(1) : [])).join(' ')).toBe(started);
  expect(delays).toEqual(expected);
});

it('returns each place of a group once, also where one record stands in two', async () => {
  const [twice] = groupA as [SQSRecord];
  const outcomes: DeliveryOutcome[] = ['acknowledged', 'acknowledged', later(7)];
  const returned = await processBatch(
    [twice, fifo('a2'), twice, fifo('a3')],
    10,
    async () => outcomes.shift() ?? 'acknowledged',
  );
  expect(returned.map(({ record }) => record.messageId)).toEqual(['a1', 'a3']);
});
