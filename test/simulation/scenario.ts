import fc from 'fast-check';
import { type EmbeddedLimits, embeddedLimits } from '../../lib/outbox/embedded/embedded-write.ts';
import type { Port } from './call.ts';
import type { FirstMessage, SendScript } from './message-script.ts';
import { isWaitedFor, type OutboxPlan } from './outbox-plans.ts';
import type { StreamView } from './simulated-stream.ts';

export const modes = ['optimistic', 'eventual', 'pessimistic', 'mixed'] as const;
/** `mixed`: one worker locks, the next one does not, as in a deployment that changes the mode. */
export type Mode = (typeof modes)[number];

export interface Scenario {
  readonly mode: Mode;
  /** Where a worker locks. */
  readonly renews: boolean;
  /** How far the clock of each worker is ahead of the true time. */
  readonly clockOffsetsMs: readonly number[];
  /** Whether the saga's messages come by a FIFO queue: each saga has a group of its own, or all have one. */
  readonly order: 'none' | 'bySaga' | 'together';
  readonly batchSize: number;
  readonly hasErrorQueue: boolean;
  /** Else two copies of a message without a saga can be handled at the same time. */
  readonly hasFifoQueue: boolean;
  /** A worker's calls of this kind wait for its others. */
  readonly slowPort: Port | 'none';
  readonly messages: readonly FirstMessage[];
  /** What the stream of the table has of an item. */
  readonly streamView: StreamView;
  /** Where the outbox of the saga is. @default 'records' */
  readonly outbox?: OutboxPlan;
  /** Where its item keeps the messages that were handled: how much that holds. @default - there are records alone */
  readonly embedded?: EmbeddedLimits;
}

/** Of endpoints with an embedded outbox. */
export const DEDUPLICATION_MS = 6 * 3_600_000;

/** Mostly one, so that messages meet. */
const saga = fc.constantFrom('a', 'a', 'a', 'b', 'c');

const send: fc.Arbitrary<SendScript> = fc
  .tuple(
    fc.constantFrom<SendScript['type'][]>('Note', 'Note', 'Change', 'Finish', 'Start', 'Look'),
    saga,
    fc.boolean(),
  )
  .map(([type, saga, answered]) => ({ type, saga, answered }) satisfies SendScript);

/** More attempts than any message gets. */
const ALWAYS = 99;
const oneInSix = fc.constantFrom(true, false, false, false, false, false);

function message(...types: FirstMessage['type'][]): fc.Arbitrary<FirstMessage> {
  return fc
    .tuple(
      fc.constantFrom(...types),
      saga,
      fc.array(send, { maxLength: 3 }),
      fc.constantFrom<FirstMessage['timeout'][]>(
        ...([
          'none',
          'none',
          'none',
          'inQueue',
          'inQueue',
          'inSchedule',
          'several',
          'several',
          'cancel',
        ] as const),
      ),
      fc.nat(1),
      fc.constantFrom<FirstMessage['failures'][]>(
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        1,
        1,
        2,
        ALWAYS,
        'unrecoverable',
        'ignored',
      ),
      fc.record({ completes: oneInSix, isOutdated: oneInSix, isPublished: oneInSix }),
    )
    .map(([type, saga, sends, timeout, pauses, failures, { completes, isOutdated, isPublished }]) => ({
      type,
      saga,
      sends,
      // One that only looks may find none to take back, and then commits without a check of what it saw.
      timeout: type === 'Look' && timeout === 'cancel' ? 'none' : timeout,
      pauses,
      failures,
      completes: completes && type === 'Start',
      isOutdated,
      isPublished,
    }));
}

const anyMessage = message('Start', 'Start', 'Start', 'Change', 'Change', 'Finish', 'Finish', 'Look');
/** Sagas that come and go have the same versions again and again. */
const briefMessage = message('Start', 'Finish');
/** Its handler only looks, so that it commits without a check, also after the end of the saga. */
const lookingMessage = message('Start', 'Look', 'Look', 'Finish').map(
  (looking): FirstMessage => ({ ...looking, saga: 'a' }),
);

/** They meet one saga at a time, so that they can be committed together. */
const hotMessage = message('Start', 'Start', 'Change', 'Change', 'Look', 'Look', 'Finish').map(
  (hot): FirstMessage => ({ ...hot, saga: 'a' }),
);

/** A timeout can meet, in one group, what takes it back. */
const cancellingMessage = fc
  .tuple(hotMessage, fc.constantFrom<FirstMessage['timeout'][]>('inQueue', 'cancel', 'cancel'))
  .map(([hot, timeout]): FirstMessage => ({ ...hot, type: 'Start', completes: false, timeout }));

const messages = fc.oneof(
  { weight: 3, arbitrary: fc.array(anyMessage, { minLength: 1, maxLength: 6 }) },
  { weight: 3, arbitrary: fc.array(briefMessage, { minLength: 3, maxLength: 6 }) },
  { weight: 3, arbitrary: fc.array(lookingMessage, { minLength: 3, maxLength: 6 }) },
  { weight: 3, arbitrary: fc.array(hotMessage, { minLength: 3, maxLength: 7 }) },
  { weight: 1, arbitrary: fc.array(cancellingMessage, { minLength: 3, maxLength: 6 }) },
);

const slowPort = fc.constantFrom<Scenario['slowPort'][]>(
  'none',
  'find',
  'load',
  'renew',
  'renew',
  'renew',
  'release',
  'gather',
  'gather',
  'gather',
  'commit',
  'send',
  'claim',
);

/** Beyond a lease as well as within it. */
export const MAX_CLOCK_OFFSET_MS = 12_000;
const clockOffsetMs = fc.constantFrom(0, 0, 0, 1_500, -1_500, MAX_CLOCK_OFFSET_MS, -MAX_CLOCK_OFFSET_MS);

/** Some are so low that few messages fill an inbox, or that an item takes the operations of none or one. */
const limits: fc.Arbitrary<EmbeddedLimits> = fc.record(
  {
    inboxMessages: fc.constantFrom(embeddedLimits.inboxMessages, embeddedLimits.inboxMessages, 1, 2, 3),
    bytes: fc.constantFrom(embeddedLimits.bytes, embeddedLimits.bytes, embeddedLimits.bytes, 0, 250),
  },
  { noNullPrototype: true },
);

export function scenarios(among: readonly Mode[], outbox: OutboxPlan = 'records'): fc.Arbitrary<Scenario> {
  const withRecords = recordScenarios(among);
  if (outbox === 'records') return withRecords;
  return fc.tuple(withRecords, limits).map(([scenario, embedded]) => {
    // No item tells that a message was ignored before, once no schema tells its saga.
    const messages = scenario.messages.map((each) => ({
      ...each,
      isOutdated: each.isOutdated && each.failures !== 'ignored',
    }));
    if (!isWaitedFor(outbox))
      return { ...scenario, messages: messages.map(thatLeavesItem), outbox, embedded };
    return { ...scenario, messages, outbox, embedded };
  });
}

/** Each handler of it changes a saga that goes on. */
function thatLeavesItem(message: FirstMessage): FirstMessage {
  const { failures, sends } = message;
  return {
    ...message,
    type: 'Start',
    completes: false,
    isPublished: false,
    timeout: 'none',
    failures: failures === 'ignored' ? 0 : failures,
    sends: sends.map((send) => ({ ...send, type: 'Start', answered: false })),
  };
}

function recordScenarios(among: readonly Mode[]): fc.Arbitrary<Scenario> {
  return fc
    .record(
      {
        mode: fc.constantFrom(...among),
        renews: fc.boolean(),
        clockOffsetsMs: fc.array(clockOffsetMs, { minLength: 2, maxLength: 3 }),
        order: fc.constantFrom<Scenario['order'][]>('none', 'none', 'none', 'bySaga', 'bySaga', 'together'),
        batchSize: fc.constantFrom(1, 1, 2, 3, 5, 5),
        hasErrorQueue: fc.boolean(),
        hasFifoQueue: fc.boolean(),
        slowPort,
        messages,
        streamView: fc.constantFrom<Scenario['streamView'][]>('NEW_IMAGE', 'NEW_IMAGE', 'KEYS_ONLY'),
      },
      { noNullPrototype: true },
    )
    .map((scenario) => {
      const { mode, renews } = scenario;
      return { ...scenario, renews: renews && (mode === 'pessimistic' || mode === 'mixed') };
    });
}
