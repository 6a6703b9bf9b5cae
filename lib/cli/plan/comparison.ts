import type { WorkloadPlan } from '../../capacity/index.ts';
import { formatBytes, formatDollars, formatPercent, formatUnits } from './format.ts';
import type { ComparedPlan } from './planned-workload.ts';
import { type DataTable, totalCosts } from './tables.ts';

const IMPOSSIBLE = '-';

const ofRefusedWrites = 'average: of them refused';

const figures: readonly (readonly [name: string, cell: (plan: WorkloadPlan) => string])[] = [
  ['new message: calls', ({ message }) => formatUnits(message.newMessage.calls)],
  ['new message: RCU', ({ message }) => formatUnits(message.newMessage.rcu)],
  ['new message: WCU', ({ message }) => formatUnits(message.newMessage.wcu)],
  ['average: RCU', ({ perMessage }) => formatUnits(perMessage.rcu)],
  ['average: WCU', ({ perMessage }) => formatUnits(perMessage.wcu)],
  [ofRefusedWrites, ({ perMessage: { refusedWcu = 0 } }) => formatUnits(refusedWcu)],
  ['outbox kept', ({ outbox }) => formatBytes(outbox.bytes)],
  ['month, on-demand', (plan) => formatDollars(totalCosts(plan).onDemand)],
  ['month, provisioned', (plan) => formatDollars(totalCosts(plan).provisioned)],
];

/** Variants of a workload side by side. */
export function comparisonTable(compared: readonly ComparedPlan[]): DataTable {
  return {
    caption: 'Compared',
    head: ['layout', ...compared.map(({ layout }) => layout)],
    rows: [['locking', ...compared.map(({ locking }) => locking)], ...figureRows(compared)],
  };
}

/** The figures of each, and by how much its cost differs from that of the first. */
export function figureRows(compared: readonly ComparedPlan[]): string[][] {
  const plans = compared.map((variant) => ('plan' in variant ? variant.plan : undefined));
  const [first] = plans;
  const hasRetries = plans.some((plan) => plan?.perMessage.refusedWcu !== undefined);
  const shown = figures.filter(([name]) => hasRetries || name !== ofRefusedWrites);
  return [
    ...shown.map(([name, cell]) => [name, ...plans.map((plan) => (plan ? cell(plan) : IMPOSSIBLE))]),
    ['against the first', ...plans.map((plan) => differenceOf(first, plan))],
  ];
}

/** Why some variants have no figures. */
export function comparisonNotes(compared: readonly ComparedPlan[]): string[] {
  return compared.flatMap((variant) =>
    'problem' in variant ? [`${variant.layout}, ${variant.locking}: ${variant.problem}`] : [],
  );
}

/** By the cost on demand, which knows no rounding to whole units. */
function differenceOf(first: WorkloadPlan | undefined, other: WorkloadPlan | undefined): string {
  if (first === undefined || other === undefined || first === other) return '';
  const percent = (totalCosts(other).onDemand / totalCosts(first).onDemand - 1) * 100;
  return Number.isFinite(percent) ? `${percent < 0 ? '' : '+'}${formatPercent(percent)}` : '';
}
