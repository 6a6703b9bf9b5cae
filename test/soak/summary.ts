import { alignedRows, firstOf } from '../support/listed.ts';
import { type Counts, Tally } from '../support/tally.ts';
import { growthComplaints, minWarmSamples, warmSamplesOf } from './checks/growth.ts';
import { complaints } from './checks/judge.ts';
import type { RoundFigures } from './round.ts';
import type { SoakFigures } from './run.ts';
import { timeLimits } from './subject/time-limits.ts';

/** What did not hold, in words; nothing when all did. */
export function soakComplaints({ rounds, growth, workerFailures }: SoakFigures): string[] {
  return [
    ...rounds.flatMap(({ verdict, settled, cutOff }, index) => [
      ...(settled ? [] : [`round ${index + 1} stood still with messages left`]),
      ...cutOffComplaints(cutOff).map((complaint) => `round ${index + 1}: ${complaint}`),
      ...complaints(verdict).map((complaint) => `round ${index + 1}: ${complaint}`),
    ]),
    ...(growth === undefined ? [] : growthComplaints(growth)),
    ...workerFailures,
  ];
}

function cutOffComplaints(cutOff: readonly string[]): string[] {
  return cutOff.length === 0 ? [] : [`cut off at the time limit: ${firstOf(cutOff, 3, '; ')}`];
}

/** What happened to the first messages of each round for which something did not hold. */
export function timelines({ rounds }: SoakFigures): string {
  return rounds.flatMap(({ timeline }) => timeline).join('\n');
}

export function roundLine(figures: RoundFigures, round: number): string {
  const { messages, seconds, counts, samples, verdict } = figures;
  const sample = samples.at(-1);
  const wrong = [...cutOffComplaints(figures.cutOff), ...complaints(verdict)];
  return [
    `round ${round}: ${messages} messages in ${seconds.toFixed(1)} s`,
    `${sum(counts, 'fault ')} faults`,
    `${counts.deaths ?? 0} workers killed`,
    `heap ${megabytes(sample?.bytes.heapUsed ?? 0)}`,
    wrong.length === 0 ? 'all held' : wrong.join('; '),
  ].join(', ');
}

export function summaryTable(figures: SoakFigures): string {
  const { rounds } = figures;
  const tally = new Tally();
  for (const round of rounds) tally.addAll(round.counts);
  const counts = tally.take();
  const total = (pick: (round: RoundFigures) => number) =>
    rounds.reduce((soFar, round) => soFar + pick(round), 0);
  const of = (name: string) => counts[name] ?? 0;
  const rows: [string, string | number][] = [
    ['rounds', rounds.length],
    ['messages', total(({ messages }) => messages)],
    ['  that come twice or more on purpose', total(({ duplicates }) => duplicates)],
    ['deliveries', of('deliveries')],
    ['  repeated by SQS', of('deliveries repeated by SQS')],
    ...under(counts, 'outcome ', '  attempts that ended as '),
    ...under(counts, 'mode ', '  handled by sagas of the mode '),
    ...under(counts, 'outbox ', '  handled with an outbox in the form '),
    ...under(counts, 'change ', '  handled in a change of forms, release '),
    ['sagas with a full inbox at the end', of('full inboxes')],
    ['requests', total(({ requests }) => requests)],
    ...under(counts, 'session ', '  sessions that ended as '),
    ...under(counts, 'answer ', '  answers with status '),
    ['messages sent by handlers, as they arrived', total(({ arrived }) => arrived)],
    ['  with an id that had arrived before', total(({ arrivedAgain }) => arrivedAgain)],
    ['workers killed', of('deaths')],
    ['  at random times', of('kills at random times')],
    ['  beside a call', of('deaths') - of('kills at random times')],
    ['faults', sum(counts, 'fault ')],
    ...under(counts, 'fault ', '  '),
    ['black holes', sum(counts, 'black hole of ')],
    ...under(counts, 'black hole of ', '  of '),
    ['  connections that fell silent', sum(counts, 'silence ')],
    ...under(counts, 'silence ', '    '),
    ['invocations cut off at their time limit', total(({ cutOff }) => cutOff.length)],
    ['longest invocation, of its time limit', `${maxPercent(rounds)} %`],
    ['conflicts on sagas', of('event conflict')],
    ['waits for a lock', of('event lockWait')],
    ['retries within an invocation', of('event retry')],
    ['batches of the stream', of('batches of the stream') + of('batches of the stream that failed')],
    ['  that failed', of('batches of the stream that failed')],
    ['relay runs', of('relay runs') + of('relay runs that failed')],
    ['  that met faults', of('relay runs that failed')],
    ['  records dispatched by them', of('relayed')],
    ['seconds', total(({ seconds }) => seconds).toFixed(1)],
  ];
  return [alignedRows(rows, 9), ...growthLines(figures)].join('\n');
}

function maxPercent(rounds: readonly RoundFigures[]): string {
  const maxMs = Math.max(0, ...rounds.map(({ maxInvocationMs }) => maxInvocationMs));
  return ((100 * maxMs) / timeLimits.batchMs).toFixed(0);
}

function growthLines({ rounds, growth }: SoakFigures): string[] {
  if (growth === undefined) {
    const { length } = warmSamplesOf(rounds.map(({ samples }) => samples));
    return [
      '',
      `Growth of memory and handles was not judged: of ${minWarmSamples} samples after the first round there were ${length}, see --minutes`,
    ];
  }
  const { samples, bytes, handles } = growth;
  return [
    '',
    'The worker that was never killed, first and last third of its samples after the first round',
    `(the medians of ${samples} samples each):`,
    ...Object.entries(bytes).map(
      ([memory, { first, last, limit }]) =>
        `${memory}  ${megabytes(first)} -> ${megabytes(last)}, at most ${megabytes(limit)}`,
    ),
    ...Object.entries(handles).map(
      ([type, { first, last, limit }]) => `${type}  ${first} -> ${last}, at most ${limit}`,
    ),
  ];
}

function under(counts: Counts, prefix: string, indent: string): [string, number][] {
  return Object.entries(counts)
    .filter(([name]) => name.startsWith(prefix))
    .map(([name, count]): [string, number] => [`${indent}${name.slice(prefix.length)}`, count])
    .sort(([one], [other]) => (one < other ? -1 : 1));
}

function sum(counts: Counts, prefix: string): number {
  return under(counts, prefix, '').reduce((soFar, [, count]) => soFar + count, 0);
}

function megabytes(bytes: number): string {
  return `${(bytes / 1_000_000).toFixed(2)} MB`;
}
