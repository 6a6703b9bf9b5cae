import { alignedRows } from '../support/listed.ts';
import type { ProofFigures } from './proof.ts';
import { denialLines } from './verdict.ts';

/** How long the run and its phases took, without making the Python environment. */
export interface Timing {
  readonly seconds: number;
  readonly secondsByPhase: Readonly<Record<string, number>>;
}

export function summaryTable(figures: ProofFigures, { seconds }: Timing): string {
  const rows: [string, string | number][] = [
    ['orders', figures.orders],
    ['  done', figures.done],
    ['  effects applied twice', figures.appliedTwice.length],
    ['  effects lost', figures.lost.length],
    ['  effects that must never be', figures.unexpected.length],
    ['hot sagas', figures.hotSagas],
    ['  messages of each', figures.messagesPerHotSaga],
    ['requests by HTTP that were answered', figures.requests.answered],
    ['  that failed, and were sent again', figures.requests.failed],
    ['  that another one was at, and were sent again', figures.requests.tooEarly],
    ['  answers that are wrong', figures.wrongAnswers.length],
    ['messages sent once more from outside', figures.duplicatesSent],
    ['messages that arrived again at far ends, under the same id', figures.arrivedAgain],
    ['calls denied', figures.denials.length],
    ['outbox records undispatched', figures.undispatched.length],
    ['processes killed at work', figures.kills],
    ...Object.entries(figures.killsByFunction).map(([name, kills]): [string, number] => [
      `  ${name.replace(/Function.*/, '')}`,
      kills,
    ]),
    ['messages of the largest batch', figures.largestBatch],
    ['transactions with messages of several sagas', figures.mergedCommits],
    ['transactions with several messages of one saga', ''],
    ...Object.entries(figures.coalescedCommits).map(([name, count]): [string, number] => [
      `  ${name}`,
      count,
    ]),
    ['messages sent by schedules', figures.scheduledMessages],
    ['schedules at once', figures.longDelays],
    ['schedules not as the timeouts are', figures.schedules.length],
    ['steps counted by the updated handler', figures.stepsByVersion.updated],
    ['  of orders placed before the update', figures.stepsOfEarlierOrdersByUpdate],
    ['updates deployed over the running apps', figures.updates.length],
    ['left behind by cdk destroy', figures.leftBehind.length],
    ['  retained, as the stacks say', figures.retained.length],
    ['  to be retained, and gone', figures.retainedGone.length],
    ['seconds', seconds],
    ['engine', figures.engine],
  ];
  return alignedRows(rows);
}

/** The figures by number, and what is behind each by name. */
export function figuresJson(figures: ProofFigures, { seconds, secondsByPhase }: Timing) {
  const { appliedTwice, lost, unexpected, wrongAnswers, schedules, denials, undispatched, ...others } =
    figures;
  return {
    ...others,
    appliedTwice: appliedTwice.length,
    lost: lost.length,
    unexpected: unexpected.length,
    wrongAnswers: wrongAnswers.length,
    schedules: schedules.length,
    denied: denials.length,
    undispatched: undispatched.length,
    details: {
      appliedTwice,
      lost,
      unexpected,
      wrongAnswers,
      schedules,
      denied: denialLines(denials),
      undispatched,
    },
    seconds,
    secondsByPhase,
  };
}
