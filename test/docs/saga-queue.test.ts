import { expect, it } from '@jest/globals';
import { HandledAgain } from '../../lib/attempt/handled-again.ts';
import type { QueueEntry } from '../../lib/attempt/saga-queue/queue-entry.ts';
import type { GroupMember, GroupOutcome } from '../../lib/attempt/saga-queue/saga-group.ts';
import { SagaQueue } from '../../lib/attempt/saga-queue/saga-queue.ts';
import { CapacityMeter } from '../../lib/dynamodb/capacity-meter.ts';
import { SagaboxError } from '../../lib/kernel/errors/errors.ts';
import type { OutboxRecord } from '../../lib/outbox/record.ts';
import { readPage } from '../support/page-tables.ts';
import { Random } from '../support/random.ts';

const sharing = {};
const saga = { name: 'Order', id: '7' };
const conflict = new SagaboxError('SagaConcurrency', { sagaName: 'Order', sagaId: '7', operation: 'update' });

type State = 'holding' | 'waiting' | 'working' | 'joined' | 'passed';
type Event = 'ask' | 'join' | 'passOn' | 'sentAhead' | 'failed' | 'leave';

function stateOf(entry: QueueEntry): State {
  if (entry.isWaiting) return 'waiting';
  if (entry.isWorking) return 'working';
  if (entry.isHolding) return 'holding';
  return entry.group && entry.hasJoined(entry.group) ? 'joined' : 'passed';
}

/** Entries of one queue, driven at random as deliveries drive them; it notes each transition that it sees. */
class RandomQueue {
  readonly seen = new Set<string>();
  readonly #random: Random;
  readonly #queue = new SagaQueue();
  readonly #entries: { entry: QueueEntry; meter: CapacityMeter; hasLeft: boolean }[];

  constructor(random: Random) {
    this.#random = random;
    this.#entries = ['a', 'b', 'c'].map((messageId) => ({
      entry: this.#queue.enter({ messageId, isInOrder: this.#random.pick([true, false]) }),
      meter: new CapacityMeter(),
      hasLeft: false,
    }));
  }

  async step(): Promise<void> {
    const each = this.#entries[this.#random.below(this.#entries.length)];
    if (each === undefined || each.hasLeft) return;
    const { entry } = each;
    const before = stateOf(entry);
    const event = this.#random.pick(possible[before]);
    const others = this.#states();
    if (event === 'ask') {
      each.meter = new CapacityMeter();
      const request = { meter: each.meter, saga, sharing: this.#random.pick([sharing, sharing, undefined]) };
      // An entry that leaves rejects who waits.
      entry.ask({ ...request, needsCommitted: this.#random.below(10) === 0 }).catch(() => {});
      this.#note(before, event, 'waiting');
      if (entry.isWorking) this.#note('waiting', 'begin', 'working');
    } else if (event === 'join' && entry.sharing) {
      entry.join(this.#member(entry, each.meter)).catch(() => {});
      this.#note(before, event, 'joined');
    } else if (event === 'passOn') {
      entry.passOn();
      this.#noteOf(entry, before, event);
    } else if (event === 'sentAhead') {
      void entry.sentAhead();
      this.#noteOf(entry, before, event);
    } else if (event === 'failed') {
      entry.failed(this.#random.pick([conflict, new Error('a bug'), new HandledAgain('a', 'a reason')]));
      this.#noteOf(entry, before, event);
    } else if (event === 'leave') {
      entry.leave();
      each.hasLeft = true;
      this.#noteOf(entry, before, event);
    }
    this.#noteOthers(entry, others);
    const behind = this.#states();
    await new Promise(setImmediate);
    this.#noteOthers(undefined, behind);
  }

  #states(): Map<QueueEntry, State> {
    return new Map(this.#entries.map(({ entry }) => [entry, stateOf(entry)]));
  }

  /** What becomes of entries that nobody called: they get the turn, or their group has ended. */
  #noteOthers(called: QueueEntry | undefined, before: Map<QueueEntry, State>): void {
    for (const [entry, state] of before) {
      if (entry === called || stateOf(entry) === state) continue;
      this.#note(state, state === 'waiting' ? 'begin' : 'leaveGroup', stateOf(entry));
    }
  }

  #noteOf(entry: QueueEntry, before: string, event: string): void {
    const after = stateOf(entry);
    if (after !== before || event === 'passOn') this.#note(before, event, after);
  }

  #note(from: string, event: string, to: string): void {
    this.seen.add(`${from} --> ${to}: ${event}`);
  }

  #member(entry: QueueEntry, meter: CapacityMeter): GroupMember {
    const outcome: GroupOutcome = this.#random.pick<GroupOutcome>([
      { status: 'fulfilled', value: {} as OutboxRecord },
      { status: 'rejected', reason: conflict },
    ]);
    const terms = {
      sharing,
      onStartMargin: () => () => {},
      commit: async (members: readonly GroupMember[]) => members.map(() => outcome),
    };
    const { messageId } = entry;
    return {
      messageId,
      meter,
      openedSaga: { identity: saga },
      write: undefined,
      endsSaga: false,
      writeCount: 1,
      terms,
    } as never;
  }
}

/** What a delivery may do in each state. */
const possible: Readonly<Record<State, readonly [Event, ...Event[]]>> = {
  holding: ['ask', 'ask', 'failed', 'leave'],
  passed: ['ask', 'leave'],
  waiting: ['failed', 'leave'],
  working: ['ask', 'join', 'join', 'passOn', 'sentAhead', 'failed', 'leave'],
  joined: ['leave'],
};

it('the queue of a saga goes through the transitions of its page, and through no other', async () => {
  const random = new Random(42);
  const seen = new Set<string>();
  for (let run = 0; run < 400; run += 1) {
    const queue = new RandomQueue(random);
    for (let step = 0; step < 30; step += 1) await queue.step();
    for (const transition of queue.seen) seen.add(transition);
  }
  const drawn = [...readPage('design/saga-queue.md').matchAll(/^ {2}(\w+ --> \w+: \w+)$/gm)].map(
    ([, line]) => line,
  );
  expect([...seen].toSorted()).toEqual(drawn.toSorted());
});
