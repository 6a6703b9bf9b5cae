import { describe, expect, it, jest } from '@jest/globals';
import fc from 'fast-check';
import type { Locking } from 'sagabox';
import { sqsRecord } from 'sagabox/testing';
import { fuzzTimeoutMs, holdsForAll } from './fuzz.ts';
import { type AnyRecord, hostileRecord } from './hostile-records.ts';
import { hostileJson, ownProperties } from './hostile-values.ts';
import {
  expectAllCoded,
  expectAllOrNothing,
  expectNothingLost,
  expectVisibilities,
} from './ledger-checks.ts';
import { ledgerHandlers, ledgerSaga } from './ledger-saga.ts';
import { type BatchOutcome, memoryEndpoint } from './memory-endpoint.ts';

jest.setTimeout(fuzzTimeoutMs);

const modes: [string, Locking][] = [
  ['optimistic', { mode: 'optimistic' }],
  ['pessimistic', { mode: 'pessimistic' }],
];

const batch = fc.array(hostileRecord, { minLength: 1, maxLength: 6 });

/** A record that nothing is wrong with, in a lane of its own. */
function goodRecord(number: number, fifo: boolean): AnyRecord {
  return {
    ...sqsRecord({
      type: 'Counted',
      id: `good-${number}`,
      sqsMessageId: `sqs-good-${number}`,
      body: { counter: `good-${number}`, note: 'good' },
      ...(fifo && { messageGroupId: `good-${number}` }),
    }),
  };
}

/** Within the size of a message, but its errors are not. */
const manyWrong: AnyRecord = {
  ...sqsRecord({
    type: 'Counted',
    id: 'wrong',
    body: { counter: 'c-1', note: 'n', lines: Array(20_000).fill('') },
  }),
};

/** Good records before, among and behind the others. */
function mixed(records: readonly AnyRecord[], fifo: boolean): AnyRecord[] {
  return [
    goodRecord(0, fifo),
    ...records.flatMap((record, index) => [record, ...(index === 1 ? [goodRecord(1, fifo)] : [])]),
    goodRecord(2, fifo),
  ];
}

describe.each(modes)('a batch with hostile records in %s mode', (_name, locking) => {
  it('ends with an answer, in which nothing is lost, half done or without a code', async () => {
    await holdsForAll(
      fc.tuple(batch, fc.boolean()),
      40,
      async ([hostile, fifo]) => {
        const endpoint = memoryEndpoint([ledgerSaga, ledgerHandlers], { locking });
        const records = mixed(hostile, fifo);
        const outcome = await endpoint.deliver(records);

        const good = records.filter(({ messageId }) => messageId.startsWith('sqs-good-'));
        for (const { messageId } of good) {
          expect(outcome.returned).not.toContain(messageId);
          const id = messageId.replace('sqs-', '');
          expect(endpoint.states()).toContainEqual({ handled: [id], last: 'good' });
        }
        expectNothingLost(records, outcome, endpoint);
        expectAllCoded(outcome.errors);
        expectAllOrNothing(endpoint);
        expectVisibilities(endpoint);
      },
      [[[manyWrong], false] as [AnyRecord[], boolean]],
    );
  });

  it('that is delivered again changes nothing that it changed before', async () => {
    await holdsForAll(batch, 25, async (hostile) => {
      const endpoint = memoryEndpoint([ledgerSaga, ledgerHandlers], { locking });
      await endpoint.deliver(hostile);
      const { size } = endpoint.storage.records;
      const states = endpoint.states();
      endpoint.sqs.sends.length = 0;
      const outcome = await endpoint.deliver(hostile);
      expectNothingLost(hostile, outcome, endpoint);
      expectAllOrNothing(endpoint);
      expect(endpoint.storage.records.size).toBe(size);
      expect(endpoint.states()).toEqual(states);
    });
  });
});

/** Of a record there is no more than its id for sure. */
const anyObject = fc
  .tuple(hostileJson, fc.uuid())
  .map(([json, messageId]) =>
    ownProperties([...Object.entries(json ?? {}), ['messageId', messageId]]),
  ) as fc.Arbitrary<AnyRecord>;

describe('an event', () => {
  it('of any other shape is refused as a whole with a code, or answered with nothing lost', async () => {
    const records = fc.array(fc.oneof(hostileRecord, anyObject), { minLength: 1, maxLength: 4 });
    const anything = fc.array(fc.oneof(hostileJson, hostileRecord), { maxLength: 4 });
    const events = fc.oneof(
      hostileJson,
      fc.oneof(records, anything, hostileJson).map((Records) => ({ Records })),
      fc
        .tuple(records, hostileJson)
        .map(([Records, other]) => ownProperties([...Object.entries(other ?? {}), ['Records', Records]])),
    );
    const answered = new Set<boolean>();
    await holdsForAll(events, 50, async (event) => {
      const endpoint = memoryEndpoint([ledgerSaga, ledgerHandlers]);
      let outcome: BatchOutcome | undefined;
      try {
        outcome = await endpoint.invoke(event);
      } catch (error) {
        expect(error).toMatchObject({ code: 'InvalidEvent' });
      }
      answered.add(outcome !== undefined);
      if (outcome) {
        expectNothingLost((event as { Records: AnyRecord[] }).Records, outcome, endpoint);
        expectAllCoded(outcome.errors);
      } else expect(endpoint.sqs.sends).toEqual([]);
      expectAllOrNothing(endpoint);
    });
    expect(answered.size).toBe(2);
  });
});
