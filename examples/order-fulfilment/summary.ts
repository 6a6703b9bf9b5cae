import type { CapacityTotals } from 'sagabox/local';
import type { Figures } from './figures.ts';
import { seams } from './seams.ts';
import type { Tally } from './tally.ts';
import type { Verdict } from './verdict.ts';

export interface RunResult {
  readonly figures: Figures;
  readonly tally: Tally;
  readonly verdict: Verdict;
  readonly capacity: CapacityTotals;
  readonly deadLetters: number;
  /** False when the run stood still with messages left. */
  readonly settled: boolean;
  readonly seconds: number;
}

type Row = readonly [label: string, value: string | number, note?: string];

/** The table at the end of a run. */
export function summaryTable({ figures, tally, capacity, deadLetters, seconds }: RunResult): string {
  const rows: Row[] = [
    ['Orders completed', `${figures.completedOrders} of ${figures.orders}`],
    [
      'Messages',
      tally.distinctMessages,
      `${figures.messagesDelivered} deliveries in ${seconds.toFixed(1)} s`,
    ],
    ['  handled', tally.outcome('handled')],
    ['  duplicates dropped', tally.outcome('duplicate'), `${figures.duplicatesDelivered} delivered`],
    ['  dispatched again after a crash', tally.outcome('redispatched')],
    ['  discarded: their saga was complete', tally.outcome('discarded')],
    ['  failed and retried', tally.outcome('failed')],
    ['Crashes survived', figures.crashesInjected],
    ...seams.map(({ name }): Row => [`  ${name}`, tally.crashesBySeam.get(name) ?? 0]),
    [
      'Capacity per message',
      `${figures.rcuPerMessage} RCU, ${figures.wcuPerMessage} WCU`,
      `as ${figures.engine} reports it, duplicates and crashes included; ${capacity.calls} calls`,
    ],
    ['  of refused writes', `${figures.refusedWcuPerMessage} WCU`, 'by the rules: no engine reports it'],
    ['Checked against tables and messages', ''],
    ['  lost', figures.lost],
    ['  applied twice', figures.appliedTwice],
    ['  outbox records not dispatched', figures.undispatchedLeft],
    ['  messages in dead-letter queues', deadLetters],
  ];
  const labelWidth = Math.max(...rows.map(([label]) => label.length));
  return rows
    .map(([label, value, note]) =>
      `${label.padEnd(labelWidth)}  ${value}${note === undefined ? '' : `  (${note})`}`.trimEnd(),
    )
    .join('\n');
}

const namedAtMost = 10;

/** Why the run is not OK; empty when it is. */
export function complaints({ verdict, tally, deadLetters, settled, figures }: RunResult): string[] {
  return [
    ...(settled ? [] : ['the run stood still with messages left']),
    ...named('lost', verdict.lost),
    ...named('applied twice', verdict.appliedTwice),
    ...named('not dispatched', verdict.undispatched),
    ...(figures.completedOrders === figures.orders
      ? []
      : [`${figures.orders - figures.completedOrders} orders are not complete`]),
    ...(deadLetters === 0 ? [] : [`${deadLetters} messages are in dead-letter queues`]),
    ...(tally.unexplainedDeaths === 0
      ? []
      : [`${tally.unexplainedDeaths} instances ended though nobody killed them`]),
  ];
}

function named(what: string, effects: readonly string[]): string[] {
  if (effects.length === 0) return [];
  const more = effects.length > namedAtMost ? `, and ${effects.length - namedAtMost} more` : '';
  return [`${what}: ${effects.slice(0, namedAtMost).join(', ')}${more}`];
}
