import { planMessage, type Workload, type WorkloadPlan } from '../../capacity/index.ts';
import { barChart, lineChart, type Point } from '../../charts/chart.ts';
import type { Markup } from '../../charts/markup.ts';
import { isSagaboxError } from '../../kernel/errors/errors.ts';
import { formatDollars, formatPercent, formatUnits } from './format.ts';
import { compareVariants, type Layout, layoutsOf, variantOf } from './planned-workload.ts';
import type { DataTable } from './tables.ts';
import { stepSeries, unitsBySeries } from './unit-bar.ts';

/** A chart and its figures. */
export interface PlannedChart {
  readonly name: 'units-by-step' | 'units-by-outgoing-messages' | 'cost-by-utilization';
  readonly chart: Markup;
  readonly table: DataTable;
}

const MAX_OUTGOING = 40;

export function planCharts(workload: Workload, plan: WorkloadPlan): PlannedChart[] {
  return [unitsByStep(workload), unitsByOutgoing(workload), costByUtilization(plan)];
}

function unitsByStep(workload: Workload): PlannedChart {
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
    chart: barChart({
      title,
      unit: 'units',
      series: stepSeries,
      groups: bars,
      stacked: true,
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

function unitsByOutgoing(workload: Workload): PlannedChart {
  const title = 'Write units of one new message, by outgoing messages';
  const all = layoutsOf(workload).map((name) => ({ name, points: writeUnits(workload, name) }));
  // Not every layout takes every message.
  const series = all.filter(({ points }) => points.length > 0);
  const ends = series.flatMap(({ name, points }) =>
    points
      .slice(-1)
      .map(({ x, y }) => `${name}, ${formatUnits(y)} write units for ${formatUnits(x)} messages`),
  );
  const counts = Math.max(...series.map(({ points }) => points.length));
  return {
    name: 'units-by-outgoing-messages',
    chart: lineChart({
      title,
      description: `A line for each layout, which ends at: ${ends.join('; ')}.`,
      xLabel: 'outgoing messages',
      yLabel: 'WCU',
      xRange: { min: 0, max: MAX_OUTGOING, interval: 5 },
      series,
      formatX: formatUnits,
      formatY: formatUnits,
    }),
    table: {
      caption: title,
      head: ['outgoing messages', ...series.map(({ name }) => `${name}, WCU`)],
      rows: Array.from({ length: counts }, (_, outgoing) => [
        formatUnits(outgoing),
        ...series.map(({ points }) => formatUnits(points[outgoing]?.y ?? Number.NaN)),
      ]),
    },
  };
}

/** Up to what one handler can send: many large messages do not go into one transaction. */
function writeUnits(workload: Workload, layout: Layout): Point[] {
  const { locking = 'optimistic' } = workload.message;
  const { message } = variantOf(workload, { layout, locking });
  const points: Point[] = [];
  for (let outgoing = 0; outgoing <= MAX_OUTGOING; outgoing += 1) {
    try {
      points.push({ x: outgoing, y: planMessage({ ...message, outgoing }).newMessage.wcu });
    } catch (error) {
      // From here on they do not go into one transaction.
      if (!isSagaboxError(error)) throw error;
      break;
    }
  }
  return points;
}

/** Both modes cost the same at the break-even. Provisioned capacity costs twice as much at half of it. */
function costByUtilization({ monthlyCost, prices, ...plan }: WorkloadPlan): PlannedChart {
  const { breakEvenUtilizationPercent: breakEven } = plan;
  const title = 'Cost of the tables a month, by utilisation of provisioned capacity';
  const percents = Array.from({ length: 91 }, (_, index) => 10 + index);
  const provisioned = percents.map((x) => ({ x, y: (monthlyCost.onDemand * breakEven) / x }));
  const onDemand = [10, 100].map((x) => ({ x, y: monthlyCost.onDemand }));
  const label = `break-even: ${formatPercent(breakEven)}`;
  return {
    name: 'cost-by-utilization',
    chart: lineChart({
      title,
      description:
        `On-demand is level at ${formatDollars(monthlyCost.onDemand)}. ` +
        `Provisioned falls as more of it is used, and is cheaper from ${formatPercent(breakEven)} on. ` +
        `Prices of ${prices.region}, as of ${prices.asOf}; without storage.`,
      xLabel: 'utilisation of provisioned capacity, percent',
      yLabel: 'US dollars a month',
      xRange: { min: 10, max: 100, interval: 10 },
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
