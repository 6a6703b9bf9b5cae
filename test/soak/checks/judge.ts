import { firstOf } from '../../support/listed.ts';
import type { ArrivedEntry, Evidence } from './evidence.ts';

/** What did not hold, each case named. */
export interface Verdict {
  /** Effects that should be there, and are not. */
  readonly lost: readonly string[];
  readonly appliedTwice: readonly string[];
  /** Effects of one commit of which only some are there. */
  readonly torn: readonly string[];
  /** Requests that were answered in several ways. */
  readonly answeredDifferently: readonly string[];
  /** Messages that were sent again with another id. */
  readonly changedIds: readonly string[];
  /** Messages of runs of handlers that did not commit. */
  readonly uncommitted: readonly string[];
  /** Records whose message was acknowledged, and whose messages were not confirmed as sent. */
  readonly undispatched: readonly string[];
  /** Places that stay on the list of the relay. */
  readonly listed: readonly string[];
  /** Messages that ended in the error queue or the dead-letter queue for no reason. */
  readonly givenUp: readonly string[];
}

/** Of a round in which all held. */
export const heldVerdict: Verdict = {
  lost: [],
  appliedTwice: [],
  torn: [],
  answeredDifferently: [],
  changedIds: [],
  uncommitted: [],
  undispatched: [],
  listed: [],
  givenUp: [],
};

type Effects = Record<'lost' | 'appliedTwice' | 'torn' | 'answeredDifferently', string[]>;

/** Checks the effects of a round, message by message. */
export function judge(evidence: Evidence): Verdict {
  const { undispatched, listed, errorQueue, deadLetterQueue } = evidence;
  const poison = new Set(evidence.bookings.filter(({ isPoison }) => isPoison).map(({ id }) => id));
  const rejected = new Set(errorQueue);
  const effects: Effects = { lost: [], appliedTwice: [], torn: [], answeredDifferently: [] };
  checkBookings(evidence, effects);
  checkClosings(evidence, effects);
  checkSenders(evidence, effects);
  checkRequests(evidence, effects);
  const lostFailures = [...poison].filter((id) => !rejected.has(id));
  return {
    ...effects,
    lost: [...effects.lost, ...lostFailures.map((id) => `the failed message ${id}`)],
    changedIds: changedIds(evidence.entries),
    uncommitted: uncommitted(evidence),
    undispatched,
    listed,
    givenUp: [...new Set([...errorQueue.filter((id) => !poison.has(id)), ...deadLetterQueue])],
  };
}

function checkBookings(evidence: Evidence, effects: Effects): void {
  const bookedOf = bookedIn(evidence);
  const sent = Map.groupBy(evidence.entries, ({ source }) => source);
  for (const { id, account, number, sends, isPoison, isMarked } of evidence.bookings) {
    const applied = evidence.marks.get(id)?.applied ?? 0;
    const booked = bookedOf.get(account)?.get(number) ?? 0;
    const expected = isPoison ? 0 : 1;
    const marked = isMarked ? expected : 0;
    checkTimes(effects, `the write of ${id}`, applied, marked, marked);
    checkTimes(effects, `the booking of ${id} in ${account}`, booked, expected, expected);
    if (!isPoison) checkSent(effects, id, sends, sent.get(id));
    if (!isMarked) checkRuns(effects, id, sent.get(id));
    else if (applied !== booked) effects.torn.push(`${id}: written ${applied} times, booked ${booked} times`);
  }
}

function checkClosings({ closings, marks, entries, openAccounts }: Evidence, effects: Effects): void {
  const told = Map.groupBy(entries, ({ source }) => source);
  for (const { id, account, startsAnew, isMarked } of closings) {
    const applied = marks.get(id)?.applied ?? 0;
    checkTimes(effects, `the write of ${id}`, applied, startsAnew || !isMarked ? 0 : 1, Number(isMarked));
    if (!isMarked) checkRuns(effects, id, told.get(id));
    if (!told.has(id) && (applied > 0 || !startsAnew)) effects.lost.push(`1 messages of ${id}`);
    if (openAccounts.has(account) && !startsAnew)
      effects.torn.push(`${account} is there after it was closed`);
  }
}

/** Messages that change no saga: with a mark, or only with what they send. */
function checkSenders({ senders, marks, entries }: Evidence, effects: Effects): void {
  const sent = Map.groupBy(entries, ({ source }) => source);
  for (const { id, sends, isMarked } of senders) {
    const arrived = sent.get(id) ?? [];
    checkSent(effects, id, sends, arrived);
    if (isMarked) checkTimes(effects, `the write of ${id}`, marks.get(id)?.applied ?? 0, 1, 1);
    else checkRuns(effects, id, arrived);
  }
}

/** Without a mark: each run sends under the same ids, and only one of them may have committed. */
function checkRuns(effects: Effects, id: string, arrived: readonly ArrivedEntry[] = []): void {
  const runs = new Set(arrived.map(({ attempt }) => attempt)).size;
  if (runs > 1) effects.appliedTwice.push(`${id}, as ${runs} of its runs sent`);
}

/** By their mark, by what they send, and by their answers, which name the run of their handler. */
function checkRequests({ requests, marks, entries, answers }: Evidence, effects: Effects): void {
  const sent = Map.groupBy(entries, ({ source }) => source);
  for (const { id, sends, writes } of requests) {
    const given = answers.get(id) ?? [];
    const ways = new Set(given.map(({ response }) => response)).size;
    const mark = marks.get(id);
    if (ways === 0) effects.lost.push(`the answer to ${id}`);
    if (ways > 1) effects.answeredDifferently.push(`${id}, in ${ways} ways`);
    checkTimes(effects, `the write of ${id}`, mark?.applied ?? 0, Number(writes), Number(writes));
    checkSent(effects, id, sends, sent.get(id));
    if (mark && given.some(({ attempt }) => attempt !== mark.attempt))
      effects.torn.push(`${id} has the answer of another run than its write`);
  }
}

function checkTimes(effects: Effects, effect: string, times: number, min: number, max: number): void {
  if (times < min) effects.lost.push(effect);
  if (times > max) effects.appliedTwice.push(`${effect} (${times} times)`);
}

function checkSent(effects: Effects, id: string, sends: number, arrived: readonly ArrivedEntry[] = []): void {
  const missing = sends - new Set(arrived.map(({ ordinal }) => ordinal)).size;
  if (missing > 0) effects.lost.push(`${missing} messages of ${id}`);
}

/** How often each booking is in the stored states of its account and in those sent when it was closed. */
function bookedIn({ openAccounts, closings, entries }: Evidence): Map<string, Map<number, number>> {
  const accountOf = new Map(closings.map(({ id, account }) => [id, account]));
  const told = new Map(entries.map(({ source, bookings }) => [source, bookings]));
  const booked = new Map([...openAccounts].map(([account, bookings]) => [account, [...bookings]]));
  for (const [source, bookings = []] of told) {
    const account = accountOf.get(source);
    if (account !== undefined) booked.set(account, [...(booked.get(account) ?? []), ...bookings]);
  }
  return new Map([...booked].map(([account, bookings]) => [account, counted(bookings)]));
}

function counted(numbers: readonly number[]): Map<number, number> {
  const counts = new Map<number, number>();
  for (const number of numbers) counts.set(number, (counts.get(number) ?? 0) + 1);
  return counts;
}

function changedIds(entries: readonly ArrivedEntry[]): string[] {
  const bySend = Map.groupBy(entries, ({ source, ordinal }) => `message ${ordinal} of ${source}`);
  return [...bySend]
    .filter(([, copies]) => new Set(copies.map(({ id }) => id)).size > 1)
    .map(([send]) => send);
}

function uncommitted({ entries, marks, bookings, closings, senders, requests, answers }: Evidence): string[] {
  const sends = new Map([
    ...bookings.map(({ id, sends: count, isPoison }) => [id, isPoison ? 0 : count] as const),
    ...closings.map(({ id }) => [id, 1] as const),
    ...[...senders, ...requests].map(({ id, sends: count }) => [id, count] as const),
  ]);
  const unmarked = new Set(
    [...bookings, ...closings, ...senders].filter(({ isMarked }) => !isMarked).map(({ id }) => id),
  );
  // The answer, too, tells which run of a request committed.
  const committed = (source: string) => (marks.get(source) ?? answers.get(source)?.[0])?.attempt;
  const found = entries.filter(
    ({ source, ordinal, attempt }) =>
      (!unmarked.has(source) && committed(source) !== attempt) || ordinal >= (sends.get(source) ?? 0),
  );
  return [...new Set(found.map(({ source, ordinal }) => `message ${ordinal} of ${source}`))];
}

/** In words; none when all held. */
export function complaints(verdict: Verdict): string[] {
  const words: Readonly<Record<keyof Verdict, string>> = {
    lost: 'lost',
    appliedTwice: 'applied twice',
    torn: 'not committed as one',
    answeredDifferently: 'answered differently',
    changedIds: 'sent again with another id',
    uncommitted: 'sent by a handler that did not commit',
    undispatched: 'acknowledged, and not dispatched and marked',
    listed: 'left on the list of the relay',
    givenUp: 'given up for no reason',
  };
  return (Object.keys(words) as (keyof Verdict)[]).flatMap((rule) => {
    const cases = verdict[rule];
    return cases.length === 0 ? [] : [`${words[rule]}: ${firstOf(cases, 5, ', ')}`];
  });
}
