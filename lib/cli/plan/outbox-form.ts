import type { MessageShape, RegionPrices, Workload, WorkloadPlan } from '../../capacity/index.ts';
import { liveIdsOfBusiest } from '../../capacity/scale/scale-load.ts';
import { wholeShape } from '../../capacity/shape-defaults.ts';
import { embeddedLimits } from '../../outbox/embedded/embedded-write.ts';
import { figureRows } from './comparison.ts';
import { formatUnits, formatWhole } from './format.ts';
import { type ComparedPlan, type Layout, layoutsOf, planVariant } from './planned-workload.ts';
import { type DataTable, totalCosts } from './tables.ts';

/** The forms that the outbox of a saga can have, each with its plan, and the one that costs less. */
export interface OutboxForms {
  readonly recommended: Layout;
  /** In one line. */
  readonly reason: string;
  readonly records: ComparedPlan;
  readonly embedded: ComparedPlan;
}

/** @returns undefined for messages without a saga or an outbox, which have no choice */
export function outboxForms(workload: Workload, prices?: RegionPrices): OutboxForms | undefined {
  const { locking = 'optimistic' } = workload.message;
  if (layoutsOf(workload).length === 1) return undefined;
  const planned = (layout: Layout, changed: Partial<MessageShape> = {}) =>
    planVariant({ ...workload, message: { ...workload.message, ...changed } }, { layout, locking }, prices);
  const [records, embedded] = [planned('records'), planned('embedded')];
  const isCheaper = costOf(embedded) < costOf(records);
  const busiest = workload.scale?.busiestSagaMessagesPerSecond ?? 0;
  // Its partition counts, not the price of all messages.
  if (isCheaper && busiest > 0 && liveIdsOfBusiest(workload) >= embeddedLimits.inboxMessages)
    return { recommended: 'records', reason: reasonOfBusiest(busiest), records, embedded };
  const isCheaperWith = (changed: Partial<MessageShape>) =>
    costOf(planned('embedded', changed)) < costOf(records);
  return {
    recommended: isCheaper ? 'embedded' : 'records',
    reason: isCheaper
      ? reasonForEmbedded(records, embedded, workload.message)
      : reasonForRecords(embedded, workload, isCheaperWith),
    records,
    embedded,
  };
}

/** What cannot be planned cannot be run. */
function costOf(variant: ComparedPlan): number {
  return 'plan' in variant ? totalCosts(variant.plan).onDemand : Number.POSITIVE_INFINITY;
}

function reasonForEmbedded(records: ComparedPlan, embedded: ComparedPlan, message: MessageShape): string {
  const { sagaBytes, liveIds } = wholeShape(message);
  const [own = '', other = ''] = [embedded, records].map((variant) =>
    'plan' in variant ? unitsOf(variant.plan) : variant.problem,
  );
  const ids = `${formatUnits(liveIds)} live ids`;
  return `with ${ids} in a saga of ${formatWhole(sagaBytes)} B, a message takes ${own} instead of ${other}`;
}

function reasonOfBusiest(messagesPerSecond: number): string {
  const { inboxMessages } = embeddedLimits;
  return (
    `the busiest saga fills its inbox of ${inboxMessages} live ids in ${formatUnits(inboxMessages / messagesPerSecond)} s: ` +
    'from then on each of its messages writes a record, too'
  );
}

function reasonForRecords(
  embedded: ComparedPlan,
  { message }: Workload,
  isCheaperWith: (changed: Partial<MessageShape>) => boolean,
): string {
  if ('problem' in embedded) return `embedded, ${embedded.problem}`;
  const { sagaBytes, sagaChange, liveIds } = wholeShape(message);
  const ids = `${formatUnits(liveIds)} live ids`;
  if (liveIds >= embeddedLimits.inboxMessages)
    return `at ${embeddedLimits.inboxMessages} live ids the inbox is full: with ${ids}, each message has a record, too`;
  if (sagaChange === 'none')
    return `a message that only reads would write the item, with a state of ${formatWhole(sagaBytes)} B and ${ids}`;
  if (isCheaperWith({ liveIds: 0 })) return `each write is charged with the whole inbox, here ${ids}`;
  return `each write is charged with the whole item, here a state of ${formatWhole(sagaBytes)} B and ${ids}`;
}

function unitsOf({ perMessage: { rcu, wcu } }: WorkloadPlan): string {
  return `${formatUnits(wcu)} WCU and ${formatUnits(rcu)} RCU`;
}

export function formsTable({ records, embedded }: OutboxForms): DataTable {
  const rows = figureRows([records, embedded]);
  return { caption: 'By the form of the outbox', head: ['', 'records', 'embedded'], rows };
}

/** The one line for people. */
export function recommendation({ recommended, reason }: Pick<OutboxForms, 'recommended' | 'reason'>): string {
  return `Recommended: ${recommended}, as ${reason}.`;
}
