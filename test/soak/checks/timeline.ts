import { type JournalEntry, journalEntries } from '../fleet/journal.ts';
import type { Evidence } from './evidence.ts';
import type { Verdict } from './judge.ts';

const messagesAtMost = 5;

/**
 * What happened to the messages that a verdict names, in the order of time, and what is there of them at the
 * end; for the first few of them.
 *
 * @param journal the text of the journal: a line of JSON for each entry
 */
export function timelineOf(verdict: Verdict, evidence: Evidence, journal: string): string[] {
  const ids = namedIn(verdict).slice(0, messagesAtMost);
  if (ids.length === 0) return [];
  const entries = journalEntries(journal);
  return ids.flatMap((id) => [
    `${id}:`,
    ...history(id, entries).map((line) => `  ${line}`),
    ...remains(id, evidence).map((line) => `  at the end: ${line}`),
  ]);
}

/** Ids of messages, and of accounts, of a round. */
function namedIn(verdict: Verdict): string[] {
  const cases = Object.values(verdict).flat().join(' ');
  return [...new Set(cases.match(/\br\d+-[\w-]+/g) ?? [])];
}

/** With what concerns all messages, from its first line to its last. */
function history(id: string, entries: readonly JournalEntry[]): string[] {
  const isOwn = ({ ids }: JournalEntry) => ids.includes(id);
  const first = entries.findIndex(isOwn);
  if (first < 0) return [];
  return entries
    .slice(first, entries.findLastIndex(isOwn) + 1)
    .filter((entry) => isOwn(entry) || entry.ids.length === 0)
    .map(({ at, processId, event }) => `${at} process ${processId}: ${event}`);
}

function remains(id: string, evidence: Evidence): string[] {
  const { marks, entries, answers, undispatched, errorQueue, openAccounts } = evidence;
  const answeredBy = new Set(answers.get(id)?.map(({ attempt }) => attempt));
  const mark = marks.get(id);
  const account = openAccounts.get(id);
  return [
    ...(mark ? [`its write was made ${mark.applied} times, last by the run ${mark.attempt}`] : []),
    ...entries
      .filter(({ source }) => source === id)
      .map((entry) => `its message ${entry.ordinal} arrived as ${entry.id}, of the run ${entry.attempt}`),
    ...[...answeredBy].map((attempt) => `it has the answer of the run ${attempt}`),
    ...(undispatched.includes(id) ? ['its outbox record is not dispatched'] : []),
    ...(errorQueue.includes(id) ? ['it is in the error queue'] : []),
    ...(account ? [`as an account it has the bookings ${account.join(' ')}`] : []),
  ];
}
