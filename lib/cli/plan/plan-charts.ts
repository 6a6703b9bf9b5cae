import { planMessage, type Workload, type WorkloadPlan } from '../../capacity/index.ts';
import type { DataTable } from './charts/data-table.ts';
import { lineChart, type Point } from './charts/line-chart.ts';
import type { Markup } from './charts/markup.ts';
import { stackedBars } from './charts/stacked-bars.ts';
import { formatDollars, formatPercent, formatUnits } from './format.ts';
import { stepSeries, unitsBySeries } from './steps.ts';
import { compareVariants, variantOf } from './variants.ts';

/** A chart and its figures. */
export interface PlannedChart {
  readonly name: 'units-by-step' | 'units-by-outgoing-messages' | 'cost-by-utilization';
  readonly chart: Markup;
  readonly table: DataTable;
}

const MAX_OUTGOING = 40;

/** @param id of the plan on its page */
export function planCharts(workload: Workload, plan: WorkloadPlan, id: string): PlannedChart[] {
  return [unitsByStep(workload, id), unitsByOutgoing(workload, id), costByUtilization(plan, id)];
}

function unitsByStep(workload: Workload, id: string): PlannedChart {
  const title = 'Units of one new message, by step';
  // Units are the same in all regions, also in one without known prices.
  const { region: _region, ...unpriced } = workload;
  const compared = compareVariants(unpriced);
  const modes = new Set(compared.map(({ locking }) => locking));
  const bars = (['wcu', 'rcu'] as const).flatMap((unit) =>
    compared.flatMap((variant) => {
      if (!('plan' in variant)) return [];
      const { layout, locking, plan } = variant;
      const label = `${unit.toUpperCase()} ${layout}${modes.size > 1 ? `, ${locking}` : ''}`;
      return [{ label, values: unitsBySeries(plan.message, unit) }];
    }),
  );
  return {
    name: 'units-by-step',
    chart: stackedBars({
      id: `${id}-steps`,
      title,
      description: `A bar for each layout and kind of unit, made of the steps of the message. ${sumsOf(bars)}`,
      unit: 'units',
      series: stepSeries,
      bars,
      format: formatUnits,
    }),
    table: {
      caption: title,
      head: ['', ...stepSeries, 'total'],
      rows: bars.map(({ label, values }) => [
        label,
        ...values.map(formatUnits),
        formatUnits(values.reduce((total, value) => total + value, 0)),
      ]),
    },
  };
}

function sumsOf(bars: readonly { label: string; values: readonly number[] }[]): string {
  const sums = bars.map(
    ({ label, values }) => `${label}: ${formatUnits(values.reduce((total, value) => total + value, 0))}`,
  );
  return `${sums.join('; ')}.`;
}

function unitsByOutgoing(workload: Workload, id: string): PlannedChart {
  const title = 'Write units of one new message, by outgoing messages';
  const packed = writeUnits(workload, 'packed');
  const itemized = writeUnits(workload, 'itemized');
  const last = (points: readonly Point[]) => points.at(-1) ?? { x: 0, y: Number.NaN };
  const description =
    `A line for each layout, from no outgoing message to ${last(packed).x}: packed ends at ${formatUnits(last(packed).y)} ` +
    `write units, itemized at ${formatUnits(last(itemized).y)}.`;
  return {
    name: 'units-by-outgoing-messages',
    chart: lineChart({
      id: `${id}-outgoing`,
      title,
      description,
      xLabel: 'outgoing messages',
      yLabel: 'WCU',
      xTicks: [0, 5, 10, 15, 20, 25, 30, 35, MAX_OUTGOING],
      series: [
        { name: 'packed', points: packed },
        { name: 'itemized', points: itemized },
      ],
      formatX: formatUnits,
      formatY: formatUnits,
    }),
    table: {
      caption: title,
      head: ['outgoing messages', 'packed, WCU', 'itemized, WCU'],
      rows: packed.map(({ x, y }, index) => [
        formatUnits(x),
        formatUnits(y),
        formatUnits(itemized[index]?.y ?? Number.NaN),
      ]),
    },
  };
}

/** Up to what one handler can send: many large messages do not go into one transaction. */
function writeUnits(workload: Workload, layout: 'packed' | 'itemized'): Point[] {
  const { message } = variantOf(workload, layout, workload.message.locking ?? 'optimistic').workload;
  const points: Point[] = [];
  for (let outgoing = 0; outgoing <= MAX_OUTGOING; outgoing += 1) {
    try {
      points.push({ x: outgoing, y: planMessage({ ...message, outgoing }).newMessage.wcu });
    } catch {
      break;
    }
  }
  return points;
}

/** Both modes cost the same at the break-even, and provisioned capacity twice as much at half of its utilisation. */
function costByUtilization(
  { monthlyCost, breakEvenUtilizationPercent: breakEven, prices }: WorkloadPlan,
  id: string,
): PlannedChart {
  const title = 'Cost of the tables a month, by utilisation of provisioned capacity';
  const percents = Array.from({ length: 91 }, (_, index) => 10 + index);
  const provisioned = percents.map((x) => ({ x, y: (monthlyCost.onDemand * breakEven) / x }));
  const onDemand = [10, 100].map((x) => ({ x, y: monthlyCost.onDemand }));
  const label = `break-even: ${formatPercent(breakEven)}`;
  return {
    name: 'cost-by-utilization',
    chart: lineChart({
      id: `${id}-utilization`,
      title,
      description:
        `On-demand is level at ${formatDollars(monthlyCost.onDemand)}. Provisioned falls as more of it is used, and is ` +
        `cheaper from ${formatPercent(breakEven)} on. Prices of ${prices.region}, as of ${prices.asOf}; without storage.`,
      xLabel: 'utilisation of provisioned capacity, percent',
      yLabel: 'US dollars a month',
      xTicks: [10, 20, 30, 40, 50, 60, 70, 80, 90, 100],
      series: [
        { name: 'provisioned', points: provisioned },
        { name: 'on-demand', points: onDemand },
      ],
      mark: breakEven >= 10 && breakEven <= 100 ? { x: breakEven, label } : undefined,
      formatX: formatUnits,
      formatY: formatDollars,
    }),
    table: {
      caption: title,
      head: ['utilisation', 'provisioned', 'on-demand'],
      rows: provisioned
        .filter(({ x }) => x % 5 === 0)
        .map(({ x, y }) => [formatPercent(x), formatDollars(y), formatDollars(monthlyCost.onDemand)]),
    },
  };
}
