import { expect, it } from '@jest/globals';
import { SagaboxError } from '../../lib/core/failures/errors.ts';
import type { OutboxRecord } from '../../lib/core/outbox/record.ts';
import { CapacityMeter } from '../../lib/core/storage/capacity-meter.ts';
import { HandledAgain } from '../../lib/flow/handled-again.ts';
import type { GroupMember, GroupOutcome } from '../../lib/flow/saga/saga-group.ts';
import { SagaLine } from '../../lib/flow/saga/saga-line.ts';
import type { SagaPlace } from '../../lib/flow/saga/saga-place.ts';
import { readPage } from '../support/page-tables.ts';
import { Random } from '../support/random.ts';

const sharing = {};
const saga = { name: 'Order', id: '7' };
const conflict = new SagaboxError('SagaConcurrency', { sagaName: 'Order', sagaId: '7', operation: 'update' });

type State = 'holding' | 'waiting' | 'working' | 'joined' | 'aside';
type Event = 'ask' | 'join' | 'passOn' | 'failed' | 'leave';

function stateOf(place: SagaPlace): State {
  if (place.isWaiting) return 'waiting';
  if (place.isWorking) return 'working';
  if (place.isHolding) return 'holding';
  return place.group && place.hasJoined(place.group) ? 'joined' : 'aside';
}

/** Places of one line, driven at random as deliveries drive them; it notes each transition that it sees. */
class RandomQueue {
  readonly seen = new Set<string>();
  readonly #random: Random;
  readonly #line = new SagaLine();
  readonly #places: { place: SagaPlace; meter: CapacityMeter; hasLeft: boolean }[];

  constructor(random: Random) {
    this.#random = random;
    this.#places = ['a', 'b', 'c'].map((messageId) => ({
      place: this.#line.enter({ messageId, isInOrder: this.#random.pick([true, false]) }),
      meter: new CapacityMeter(),
      hasLeft: false,
    }));
  }

  async step(): Promise<void> {
    const each = this.#places[this.#random.below(this.#places.length)];
    if (each === undefined || each.hasLeft) return;
    const { place } = each;
    const before = stateOf(place);
    const event = this.#random.pick(possible[before]);
    const others = this.#states();
    if (event === 'ask') {
      each.meter = new CapacityMeter();
      const request = { meter: each.meter, saga, sharing: this.#random.pick([sharing, sharing, undefined]) };
      // A place that leaves rejects who waits.
      place.ask({ ...request, needsCommitted: this.#random.below(10) === 0 }).catch(() => {});
      this.#note(before, event, 'waiting');
      if (place.isWorking) this.#note('waiting', 'begin', 'working');
    } else if (event === 'join' && place.sharing) {
      place.join(this.#member(place, each.meter)).catch(() => {});
      this.#note(before, event, 'joined');
    } else if (event === 'passOn') {
      place.passOn();
      this.#noteOf(place, before, event);
    } else if (event === 'failed') {
      place.failed(this.#random.pick([conflict, new Error('a bug'), new HandledAgain('a', 'a reason')]));
      this.#noteOf(place, before, event);
    } else if (event === 'leave') {
      place.leave();
      each.hasLeft = true;
      this.#noteOf(place, before, event);
    }
    this.#noteOthers(place, others);
    const behind = this.#states();
    await new Promise(setImmediate);
    this.#noteOthers(undefined, behind);
  }

  #states(): Map<SagaPlace, State> {
    return new Map(this.#places.map(({ place }) => [place, stateOf(place)]));
  }

  /** What becomes of places that nobody called: they get the turn, or their group has ended. */
  #noteOthers(called: SagaPlace | undefined, before: Map<SagaPlace, State>): void {
    for (const [place, state] of before) {
      if (place === called || stateOf(place) === state) continue;
      this.#note(state, state === 'waiting' ? 'begin' : 'leaveGroup', stateOf(place));
    }
  }

  #noteOf(place: SagaPlace, before: string, event: string): void {
    const after = stateOf(place);
    if (after !== before || event === 'passOn') this.#note(before, event, after);
  }

  #note(from: string, event: string, to: string): void {
    this.seen.add(`${from} --> ${to}: ${event}`);
  }

  #member(place: SagaPlace, meter: CapacityMeter): GroupMember {
    const outcome: GroupOutcome = this.#random.pick<GroupOutcome>([
      { status: 'fulfilled', value: {} as OutboxRecord },
      { status: 'rejected', reason: conflict },
    ]);
    const terms = {
      sharing,
      onStartMargin: () => () => {},
      commit: async (members: readonly GroupMember[]) => members.map(() => outcome),
    };
    const { messageId } = place;
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
  aside: ['ask', 'leave'],
  waiting: ['failed', 'leave'],
  working: ['ask', 'join', 'join', 'passOn', 'failed', 'leave'],
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
