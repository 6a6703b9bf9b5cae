import type { ProofFigures } from './proof.ts';
import { denialLines } from './verdict.ts';

export function summaryTable(figures: ProofFigures): string {
  const rows: [string, string | number][] = [
    ['orders', figures.orders],
    ['  done', figures.done],
    ['  effects applied twice', figures.appliedTwice.length],
    ['  effects lost', figures.lost.length],
    ['messages sent once more from outside', figures.duplicatesSent],
    ['messages that arrived again at far ends, under the same id', figures.arrivedAgain],
    ['calls denied', figures.denials.length],
    ['outbox records undispatched', figures.undispatched.length],
    ['processes killed at work', figures.kills],
    ...Object.entries(figures.killsByFunction).map(([name, kills]): [string, number] => [
      `  ${name.replace(/Function.*/, '')}`,
      kills,
    ]),
    ['messages sent by schedules', figures.scheduledMessages],
    ['long delays seen in the scheduler at once', figures.longDelays],
    ['steps counted by the updated handler', figures.stepsByVersion.updated ?? 0],
    ['left behind by cdk destroy', figures.leftBehind.length],
    ['  retained, as the stacks say', figures.retained.length],
    ['seconds', figures.seconds],
    ['engine', figures.engine],
  ];
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, value]) => `${name.padEnd(width)}  ${value}`).join('\n');
}

/** The figures by number, and what is behind each by name. */
export function figuresJson(figures: ProofFigures) {
  const { appliedTwice, lost, denials, undispatched, phases, ...others } = figures;
  return {
    ...others,
    appliedTwice: appliedTwice.length,
    lost: lost.length,
    denied: denials.length,
    undispatched: undispatched.length,
    details: { appliedTwice, lost, denied: denialLines(denials), undispatched },
    secondsByPhase: phases,
  };
}
