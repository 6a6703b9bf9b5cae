import type { Counts } from '../../support/tally.ts';
import { modes } from '../subject/modes.ts';

/** What a round has to meet, and how often. Low, because the counts of killed workers are lost. */
const needed: readonly (readonly [what: string, atLeast: number, foundIn: (counts: Counts) => number])[] = [
  ['kinds of faults of DynamoDB', 6, (counts) => kinds(counts, 'fault DynamoDB ')],
  ['kinds of faults of SQS', 4, (counts) => kinds(counts, 'fault SQS ')],
  ['killed workers', 1, ({ deaths = 0 }) => deaths],
  ['modes of sagas', modes.length, (counts) => kinds(counts, 'mode ')],
  ['forms of outboxes', 3, (counts) => kinds(counts, 'outbox ')],
  ['forms of sagas that change them', 6, (counts) => kinds(counts, 'change ')],
  [
    'relay runs',
    1,
    // One that meets faults was a run, too.
    (counts) => (counts['relay runs'] ?? 0) + (counts['relay runs that failed'] ?? 0),
  ],
  ['batches of the stream', 1, (counts) => counts['batches of the stream'] ?? 0],
  ['deliveries repeated by SQS', 1, (counts) => counts['deliveries repeated by SQS'] ?? 0],
  ['duplicates', 1, (counts) => counts['outcome duplicate'] ?? 0],
  ['types of answered requests', 3, (counts) => kinds(counts, 'answered ')],
  ['repeated requests', 1, (counts) => counts['session duplicate'] ?? 0],
  ['black holes', 1, (counts) => kinds(counts, 'black hole ')],
  ['connections that fell silent', 1, (counts) => kinds(counts, 'silence ')],
];

/** In words; nothing when the round met all of it. */
export function missingCoverage(counts: Counts): string[] {
  return needed.flatMap(([what, atLeast, foundIn]) => {
    const found = foundIn(counts);
    return found < atLeast ? [`${what}: ${found}, not ${atLeast} at least`] : [];
  });
}

function kinds(counts: Counts, prefix: string): number {
  return Object.keys(counts).filter((name) => name.startsWith(prefix)).length;
}
