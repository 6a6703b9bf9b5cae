import type { SagaIdentity } from '../dynamodb/keys.ts';
import { WatchedPromise } from '../kernel/async/watched-promise.ts';
import { SagaboxError } from '../kernel/errors/errors.ts';
import { type RoundedInteger, roundingProblem } from '../kernel/values/rounded-integer.ts';
import type { Refuse } from '../messages/contracts/refusal.ts';
import { detachOptions } from '../sending/outgoing.ts';
import {
  type AppendOptions,
  assertContributionKey,
  type CollectedContribution,
  type Contribution,
  type ContributionPlace,
  contributionExpiry,
  contributionValue,
  defaultKeepFor,
  type FoundContribution,
  invalidContribution,
  readContribution,
} from './contribution.ts';
import type { ContributionRole } from './definition/contribution-roles.ts';

/** The contributions under one key that a handler is given. */
export interface Collected<Value = unknown> {
  /** Up to `atMost` values, in no order. The handler's commit deletes them, whatever the handler does. */
  readonly values: readonly Value[];
  /** Whether there are more values: the message comes again for them. Before, the saga must not complete. */
  readonly hasMore: boolean;
}

export interface CollectOptions {
  /**
   * The least number of contributions: with fewer, `collect` returns undefined. The message that comes again
   * for the rest gets those that are left.
   *
   * @default 0
   */
  atLeast?: number;
  /**
   * The most contributions to return at once. A handler that adds writes for each of them needs fewer: a
   * transaction takes 100 writes, and each returned value is one.
   *
   * @default 90
   */
  atMost?: number;
}

/** The most contributions in a transaction, beside the saga, the record, and eight writes of the user's. */
export const MAX_COLLECTED = 90;
/** The most bytes of contributions in a transaction of 4 MB: the saga and the messages have the rest. */
export const MAX_COLLECTED_BYTES = 3 * 1024 * 1024;
const MAX_AT_LEAST = 100_000;

export interface ContributionsOrigin {
  readonly saga: SagaIdentity;
  readonly endpoint: string;
  readonly messageId: string;
  readonly messageType: string;
  /** The body as it was received: the message comes again with it. */
  readonly messageBody: unknown;
  /** Returns the integer of the message that a key is made of, if JavaScript may have rounded it. */
  readonly roundedIn: (key: string) => RoundedInteger | undefined;
  /** The creation time of the saga; `undefined` if the message starts it. */
  readonly createdAt: Date | undefined;
  readonly role: ContributionRole | undefined;
  /** The keys whose rest the message has come for. */
  readonly continues: readonly string[];
  readonly now: Date;
  /** @param atMost the most contributions that will be read */
  readonly find: (createdAt: Date, key: string, atMost: number) => AsyncIterable<FoundContribution>;
  /** @throws the reason once the invocation is about to end */
  readonly beforeAbort: <T>(work: Promise<T>) => Promise<Awaited<T>>;
  /** @throws SagaboxError `HandlerReturned` */
  readonly assertOpen: (member: string) => void;
}

/** The contributions that one handler appends or collects. */
export class DraftContributions {
  readonly appended: Contribution[] = [];
  readonly collected: CollectedContribution[] = [];
  readonly #origin: ContributionsOrigin;
  readonly #collectedKeys = new Set<string>();
  readonly #collecting: WatchedPromise<unknown>[] = [];
  readonly #unfinishedKeys = new Set<string>();

  constructor(origin: ContributionsOrigin) {
    this.#origin = origin;
  }

  /** The functions that a handler gets on its saga. */
  get members() {
    return {
      append: (key: string, value: unknown, options?: AppendOptions) => this.#append(key, value, options),
      collect: (key: string, options?: CollectOptions) => {
        const collecting = WatchedPromise.of(this.#collect(key, options));
        this.#collecting.push(collecting);
        return collecting;
      },
    };
  }

  get messageBody(): unknown {
    return this.#origin.messageBody;
  }

  /** Whether the handler may not write its saga. */
  get leavesSaga(): boolean {
    return this.#origin.role === 'append';
  }

  get collects(): boolean {
    return this.collected.length > 0;
  }

  /** The keys with more contributions than the handler was given. */
  get unfinishedKeys(): readonly string[] {
    return [...this.#unfinishedKeys];
  }

  /**
   * Refuses to lose contributions, once the handler has returned: those of a call that was not awaited, or
   * those that are left when the saga completes.
   *
   * @throws SagaboxError `HandlerReturned`, `InvalidContribution`
   */
  assertCollected(completes: boolean): void {
    const { saga } = this.#origin;
    if (this.#collecting.some(({ wasAwaited }) => !wasAwaited)) {
      const facts = { sagaName: saga.name, sagaId: saga.id, member: 'saga.collect()', isUnderWay: true };
      throw new SagaboxError('HandlerReturned', facts);
    }
    const [unfinished] = this.#unfinishedKeys;
    if (!completes || unfinished === undefined) return;
    const detail =
      "the handler collected some, and completed the saga while 'hasMore' was true: return, and complete it";
    throw invalidContribution({ saga, key: unfinished }, `${detail} with the last of them`);
  }

  #append(key: string, value: unknown, options?: AppendOptions): void {
    const { saga, createdAt, endpoint, messageId, now } = this.#origin;
    const place = this.#placeOf('append', key);
    const { keepFor = defaultKeepFor } = detachOptions(options, ['keepFor'], refuserOf(place));
    if (createdAt === undefined) throw invalidContribution(place, 'there is no saga to append to');
    this.appended.push({
      saga,
      createdAt,
      key,
      endpoint,
      messageId,
      ordinal: this.appended.length,
      value: contributionValue(place, value),
      expiresAt: contributionExpiry(place, keepFor, now),
    });
  }

  async #collect(key: string, options?: CollectOptions): Promise<Collected | undefined> {
    const { createdAt, continues, beforeAbort, assertOpen } = this.#origin;
    const place = this.#placeOf('collect', key);
    const given = detachOptions(options, ['atLeast', 'atMost'], refuserOf(place));
    const { atLeast = 0, atMost = MAX_COLLECTED } = given;
    assertWithin(place, 'atLeast', atLeast, 0, MAX_AT_LEAST);
    assertWithin(place, 'atMost', atMost, 1, MAX_COLLECTED);
    if (this.#collectedKeys.has(key))
      throw invalidContribution(place, 'it is collected twice in one handler');
    this.#collectedKeys.add(key);
    const needed = continues.includes(key) ? 0 : atLeast;
    const found = createdAt && (await beforeAbort(this.#read(createdAt, key, needed, atMost)));
    assertOpen('collect()');
    if ((found?.count ?? 0) < needed) return undefined;
    const taken = this.#take(found?.first ?? [], key, atMost);
    const hasMore = taken.length < (found?.count ?? 0);
    if (hasMore) this.#unfinishedKeys.add(key);
    return { values: taken.map(readContribution), hasMore };
  }

  /** Reads contributions until there are as many as needed, and it is known whether all can be taken. */
  async #read(createdAt: Date, key: string, needed: number, atMost: number): Promise<FoundContributions> {
    const first: FoundContribution[] = [];
    let count = 0;
    let bytes = 0;
    for await (const each of this.#origin.find(createdAt, key, Math.max(needed, atMost + 1))) {
      count += 1;
      bytes += each.bytes;
      const fits = first.length < atMost && bytes <= MAX_COLLECTED_BYTES;
      if (fits && first.length === count - 1) first.push(each);
      if (count >= needed && count > first.length) break;
    }
    return { first, count };
  }

  /** Takes the contributions that have room beside those taken under other keys. */
  #take(found: readonly FoundContribution[], key: string, atMost: number): readonly FoundContribution[] {
    const { saga } = this.#origin;
    let bytes = this.collected.reduce((sum, each) => sum + each.bytes, 0);
    let room = Math.min(MAX_COLLECTED - this.collected.length, atMost);
    const taken: FoundContribution[] = [];
    for (const each of found) {
      bytes += each.bytes;
      room -= 1;
      if (room < 0 || bytes > MAX_COLLECTED_BYTES) break;
      taken.push(each);
    }
    this.collected.push(...taken.map(({ item, bytes: size }) => ({ saga, key, item, bytes: size })));
    return taken;
  }

  #placeOf(member: ContributionRole, key: string) {
    const { saga, role, messageType, assertOpen, roundedIn } = this.#origin;
    const place = { saga, key };
    assertOpen(`${member}()`);
    assertContributionKey(place);
    const rounded = roundedIn(key);
    if (rounded) throw invalidContribution(place, `its key is ${roundingProblem(rounded)}`);
    if (role === member) return place;
    const list = member === 'append' ? 'appendedBy' : 'collectedBy';
    const detail = `the handler of '${messageType}' cannot ${member}: list '${messageType}' in '${list}' of the saga`;
    throw invalidContribution(place, detail);
  }
}

const refuserOf =
  (place: ContributionPlace): Refuse =>
  (detail, cause) => {
    throw invalidContribution(place, detail, cause);
  };

function assertWithin(
  place: ContributionPlace,
  option: keyof CollectOptions,
  value: number,
  least: number,
  most: number,
): void {
  if (Number.isSafeInteger(value) && value >= least && value <= most) return;
  const remedy = `use a whole number from ${least} to ${most}`;
  throw invalidContribution(place, `${option} is ${String(value)}: ${remedy}`);
}

interface FoundContributions {
  /** The first contributions, as many as one commit may delete, and the handler takes. */
  readonly first: readonly FoundContribution[];
  /** The number of contributions that were read. */
  readonly count: number;
}
