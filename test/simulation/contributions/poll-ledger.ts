import { type Commit, messagesOf } from '../../../lib/outbox/commit.ts';
import { readContribution } from '../../../lib/saga/contribution.ts';
import type { MemoryStorage } from '../../../lib/testing/memory/storage.ts';
import type { PollState, Vote } from './poll-saga.ts';

/**
 * What contributions have to keep. `once`: a value is appended once for its message, collected once, and deleted with
 * that. `life`: it belongs to the saga that is there. `found`: a collect is given all that was committed before it,
 * and gives none below `atLeast`. `asks`: it comes again for what it left. `limit`: it deletes at most 90. `rest`: all
 * ends, and what was appended to the saga that is left is collected.
 */
export type PollInvariant = 'once' | 'life' | 'found' | 'asks' | 'limit' | 'rest';

interface Appended {
  readonly life: string;
  /** From when on each read finds it. */
  visibleSince: number;
}

/** Values that one commit may delete. */
const MAX_COLLECTED = 90;

/** What was appended and collected, by the commits that took effect. */
export class PollLedger {
  violation: { readonly invariant: PollInvariant; readonly message: string } | undefined;
  readonly appended = new Map<string, Appended>();
  readonly #foldedBy = new Map<string, string>();
  readonly #endedAt = new Map<string, number>();
  /** The lives whose last collect left something. */
  readonly unfinished = new Set<string>();

  violate(invariant: PollInvariant, message: string): void {
    this.violation ??= { invariant, message };
  }

  isFolded(id: string): boolean {
    return this.#foldedBy.has(id);
  }

  /** @param startedAt the step in which the invocation began */
  committed(
    commit: Commit,
    before: PollState | undefined,
    after: PollState | undefined,
    startedAt: number,
  ): void {
    const collected = messagesOf(commit).flatMap((message) => message.collected ?? []);
    for (const { appended = [] } of messagesOf(commit))
      for (const { value } of appended) this.#append(readContribution({ value } as never) as Vote, startedAt);
    const taken = after?.collected.slice(before?.collected.length ?? 0) ?? [];
    for (const id of taken) this.#fold(id, after?.life ?? '');
    if (after !== undefined && collected.length !== taken.length)
      this.violate('once', `${taken.length} values are collected, and ${collected.length} deleted`);
    if (collected.length > MAX_COLLECTED)
      this.violate('limit', `${collected.length} values are deleted at once`);
  }

  /** From this step on, each read finds that the saga has ended. */
  ended(life: string, step: number): void {
    this.#endedAt.set(life, step);
  }

  collected(
    life: string,
    found: readonly Vote[] | undefined,
    hasMore: boolean,
    { atLeast, startedAt }: { readonly atLeast: number; readonly startedAt: number },
  ): void {
    const given = new Set(found?.map(({ id }) => id));
    const left = [...this.appended].filter(
      ([id, each]) => each.life === life && each.visibleSince < startedAt && !this.#foldedBy.has(id),
    );
    if (found === undefined) {
      if (atLeast > 0 && left.length >= atLeast)
        this.violate('found', `${left.length} values are not enough for ${atLeast}`);
      return;
    }
    const missed = left.filter(([id]) => !given.has(id));
    if (!hasMore && missed.length > 0) this.violate('found', `${missed.length} values are missed`);
  }

  atRest(storage: MemoryStorage, sagaKey: string): void {
    const { life } = (storage.sagas.get(sagaKey)?.state ?? {}) as Partial<PollState>;
    if (life === undefined) return;
    const lost = [...this.appended].filter(([id, each]) => each.life === life && !this.#foldedBy.has(id));
    if (lost.length > 0) this.violate('rest', `${lost.length} values are never collected`);
  }

  #append({ id, life }: Vote, startedAt: number): void {
    if (this.appended.has(id)) this.violate('once', `${id} is appended twice`);
    if ((this.#endedAt.get(life) ?? Number.POSITIVE_INFINITY) < startedAt)
      this.violate('life', `${id} is appended to a saga that had ended before`);
    this.appended.set(id, { life, visibleSince: Number.POSITIVE_INFINITY });
  }

  #fold(id: string, life: string): void {
    if (this.#foldedBy.has(id)) this.violate('once', `${id} is collected twice`);
    const of = this.appended.get(id)?.life;
    if (of !== life) this.violate('life', `${id}, which was appended to ${of}, is collected into ${life}`);
    this.#foldedBy.set(id, life);
  }
}
