import { readFile, writeFile } from 'node:fs/promises';
import { beside } from '../support/load-kill-verify/beside.ts';
import { Random } from '../support/random.ts';
import type { Counts } from '../support/tally.ts';
import type { ArrivedEntry } from './checks/evidence.ts';
import { gatherEvidence } from './checks/gather-evidence.ts';
import { judge, type Verdict } from './checks/judge.ts';
import { timelineOf } from './checks/timeline.ts';
import { streamMapping } from './fleet/stream-mapping.ts';
import type { Sample } from './fleet/worker-protocol.ts';
import { handleLoad, type RoundSetting } from './handle-load.ts';
import { takingEntries } from './ledger-queue.ts';
import { withTables } from './resources.ts';
import { planRound } from './subject/plan.ts';

export interface RoundFigures {
  /** Requests, too. */
  readonly messages: number;
  readonly requests: number;
  /** Sent twice, or delivered again after they were handled. */
  readonly duplicates: number;
  /** Messages that the handlers sent, as they arrived, repeated ones included. */
  readonly arrived: number;
  /** Arrived once more than needed. */
  readonly arrivedAgain: number;
  readonly counts: Counts;
  /** Of the functions that handle batches. */
  readonly maxInvocationMs: number;
  /** The invocations that still ran at their time limit. */
  readonly cutOff: readonly string[];
  readonly seconds: number;
  readonly verdict: Verdict;
  /** What happened to the first messages that the verdict names; nothing when all held. */
  readonly timeline: readonly string[];
  /** False when nothing moved any more, with messages left. */
  readonly settled: boolean;
  /** Of the worker that lives: while the load is handled, and when all is done. */
  readonly samples: readonly Sample[];
}

/** Handles one load with faults and kills, then the rest without, and checks the effects. */
export async function runRound(setting: RoundSetting, round: number): Promise<RoundFigures> {
  return await withTables(setting.dynamoDB, setting.resources, () => measured(setting, round));
}

async function measured(setting: RoundSetting, round: number): Promise<RoundFigures> {
  const { options, resources, fleet, dynamoDB, sqs } = setting;
  const seed = options.seed + round * 1_000_003;
  await writeFile(setting.journalFile, '');
  const plan = planRound(options, `r${round}`, seed);
  const startedAt = performance.now();
  const entries: ArrivedEntry[] = [];
  const { settled, samples, undispatched, seconds, atRest } = await beside(
    [
      takingEntries(sqs, resources.ledgerQueueUrl, entries),
      streamMapping(dynamoDB, resources.table, fleet, new Random(seed + 1)),
    ],
    async (signal) => {
      const load = { plan, name: `round ${round}`, seed };
      const handled = await handleLoad({ ...setting, signal }, load);
      const seconds = (performance.now() - startedAt) / 1000;
      return { ...handled, seconds, atRest: await fleet.pause() };
    },
    setting.signal,
  );
  const journal = await readFile(setting.journalFile, 'utf8');
  const evidence = await gatherEvidence({ dynamoDB, sqs, resources, plan, entries, journal, undispatched });
  const verdict = judge(evidence);
  const { bookings, inquiries, notices, requests, closings } = plan;
  const messages = [...bookings, ...inquiries, ...notices, ...requests, ...closings];
  const repeated = messages.filter(({ duplicate }) => duplicate !== 'no');
  return {
    messages: messages.length,
    requests: requests.length,
    duplicates: repeated.length,
    arrived: entries.length,
    arrivedAgain: entries.length - new Set(entries.map(({ id }) => id)).size,
    counts: { ...fleet.tally.take(), 'full inboxes': evidence.fullInboxes },
    ...fleet.takeInvocations(),
    seconds,
    verdict,
    timeline: timelineOf(verdict, evidence, journal),
    settled,
    samples: [...samples, atRest],
  };
}
