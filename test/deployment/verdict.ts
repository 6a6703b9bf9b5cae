import { firstOf } from '../support/listed.ts';
import type { Denial } from './engine/journal.ts';
import { isScheduledAgain } from './far-ends/schedules.ts';

/** Of the event source mappings, by default. */
const batchSize = 10;

export interface Findings {
  readonly orders: number;
  readonly done: number;
  readonly lost: readonly string[];
  readonly appliedTwice: readonly string[];
  readonly unexpected: readonly string[];
  /** To requests by HTTP, in words. */
  readonly wrongAnswers: readonly string[];
  /** Schedules of cancelled timeouts that are there, and those of pending ones that are not. */
  readonly schedules: readonly string[];
  readonly denials: readonly Denial[];
  readonly undispatched: readonly string[];
  readonly kills: number;
  readonly wantedKills: number;
  /** Messages in error queues and dead-letter queues that nobody sent there on purpose. */
  readonly givenUp: readonly string[];
  /** Error queues that did not get what was sent for them. */
  readonly errorQueuesMissed: number;
  /** Messages of the largest batch that a function was given. */
  readonly largestBatch: number;
  /** Transactions that committed messages of several sagas. */
  readonly mergedCommits: number;
  /** Transactions that committed several messages of one saga, by the names of the hot sagas. */
  readonly coalescedCommits: Readonly<Record<string, number>>;
  /** What did not come true of the deployments, in words. */
  readonly deployment: readonly string[];
  /** Steps that the updated handler counted of orders that were placed before it was there. */
  readonly stepsOfEarlierOrdersByUpdate: number;
  /** Resources that are there after the stacks were destroyed, and are not to be retained. */
  readonly leftBehind: readonly string[];
  /** Resources that the stacks retain, and that were gone when they were destroyed. */
  readonly retainedGone: readonly string[];
}

/** What did not hold, in words; none when all did. */
export function complaintsAbout(findings: Findings): string[] {
  const { orders, done, kills, wantedKills, errorQueuesMissed, stepsOfEarlierOrdersByUpdate } = findings;
  return [
    ...(done < orders ? [`${orders - done} of ${orders} orders are not done`] : []),
    ...named('effects are lost', findings.lost),
    ...named('effects were applied more than once', findings.appliedTwice),
    ...named('effects must never be', findings.unexpected),
    ...named('answers to requests are wrong', findings.wrongAnswers),
    ...named('schedules are not as the timeouts are', wrongSchedules(findings)),
    ...named('calls were denied', denialLines(findings.denials), findings.denials.length),
    ...named('outbox records are undispatched', findings.undispatched),
    ...named('messages were given up', findings.givenUp),
    ...(errorQueuesMissed > 0
      ? [`${errorQueuesMissed} error queues did not get what was sent for them`]
      : []),
    ...unshared(findings),
    ...findings.deployment,
    ...(stepsOfEarlierOrdersByUpdate > 0
      ? []
      : ['the updated handler handled no message that was on its way during the update']),
    ...named('resources were left behind', findings.leftBehind),
    ...named('resources should be retained and are gone', findings.retainedGone),
    ...(kills < wantedKills ? [`${kills} processes were killed at work, not ${wantedKills}`] : []),
  ];
}

function unshared({ largestBatch, mergedCommits, coalescedCommits }: Findings): string[] {
  const apart = Object.keys(coalescedCommits).filter((name) => coalescedCommits[name] === 0);
  return [
    ...(largestBatch < batchSize
      ? [`the largest batch held ${largestBatch} messages, not ${batchSize}`]
      : []),
    ...(mergedCommits === 0 ? ['no transaction committed messages of several sagas'] : []),
    ...apart.map((name) => `no transaction committed several messages of one saga of ${name}`),
  ];
}

/** A run that kills functions may leave schedules of cancelled timeouts that were made again. */
function wrongSchedules({ schedules, wantedKills }: Findings): readonly string[] {
  return wantedKills === 0 ? schedules : schedules.filter((complaint) => !isScheduledAgain(complaint));
}

/** One line for each call that was denied, however often it was. */
export function denialLines(denials: readonly Denial[]): string[] {
  const times = new Map<string, number>();
  for (const { principal, action, resource } of denials) {
    const line = `${action} on ${resource} for ${principal}`;
    times.set(line, (times.get(line) ?? 0) + 1);
  }
  return [...times].map(([line, count]) => (count === 1 ? line : `${line} (${count} times)`));
}

function named(what: string, all: readonly string[], count = all.length): string[] {
  if (all.length === 0) return [];
  return [`${count} ${what}: ${firstOf(all, 5, '; ')}`];
}
