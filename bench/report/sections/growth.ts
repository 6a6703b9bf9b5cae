import { stackedBars } from '../../../lib/cli/plan/charts/stacked-bars.ts';
import type { GrowthFigures, GrowthPoint } from '../../benchmark/benchmark-figures.ts';
import { formatMillis, formatSignificant, formatUnits, formatWhole } from '../../benchmark/format.ts';
import { comparisonChart } from '../comparison-chart.ts';
import type { Chart, Section } from '../section.ts';

const stateSizes = ['1', '10', '100'] as const;

export function growthSection({ outboxRecords, idleRelay, stateKB }: GrowthFigures): Section {
  const byRecords = Object.entries(outboxRecords).map(([count, point]) => ({
    records: formatWhole(Number(count)),
    point,
  }));
  return {
    heading: 'Growth',
    explanation: [
      `A message whose handler changes a saga and sends one message, with outbox tables that hold few and many records of messages that were handled
before; and a run of the [relay](../guide/relay.md) that finds nothing to do there, by the index. Both tables are in one engine and
take turns, message by message; times are medians, and those of an engine in memory.`,
      `Then the same message with sagas whose items have 1, 10 and 100 kB. The item costs what DynamoDB takes for its size, to read and twice to write,
and its bytes take their time: that grows, and misses the goal of 10 %. What stays the same is everything besides it; \`WCU of the saga's item\` is
computed from its size.`,
    ],
    tables: [
      {
        head: ['outbox records', 'calls', 'RCU', 'WCU', 'time of one message'],
        rows: byRecords.map(({ records, point }) => [records, ...cells(point)]),
      },
      {
        head: ['outbox records', 'calls of a relay', 'RCU', 'WCU', 'time of one run'],
        rows: Object.entries(idleRelay).map(([count, { micros, ...figures }]) => [
          formatWhole(Number(count)),
          ...cells({ ...figures, microsPerMessage: micros }),
        ]),
      },
      {
        head: ["the saga's item", 'calls', 'RCU', 'WCU', 'time of one message', "WCU of the saga's item"],
        rows: stateSizes.map((size) => [
          `${size} kB`,
          ...cells(stateKB[size]),
          formatUnits(stateKB[size].itemWcu),
        ]),
      },
    ],
    charts: [
      comparisonChart({
        name: 'growth-outbox',
        title: 'Time of one message, by the records that the outbox holds',
        unit: 'milliseconds',
        contenders: ['sagabox'],
        groups: byRecords.map(({ records, point }) => ({
          label: `${records} records`,
          values: [point.microsPerMessage / 1000],
        })),
        format: formatSignificant,
      }),
      stateChart(stateKB),
    ],
  };
}

function stateChart(stateKB: GrowthFigures['stateKB']): Chart {
  const [name, title] = ['growth-state', 'Write units of one message, by the size of its saga'];
  const bars = stateSizes.map((size) => {
    const { wcu, itemWcu } = stateKB[size];
    return { label: `an item of ${size} kB`, values: [itemWcu, wcu - itemWcu] };
  });
  const told = bars.map(({ label, values: [ofItem = 0, others = 0] }) => {
    return `${label}: ${formatUnits(ofItem)} of the saga's item, ${formatUnits(others)} of everything else`;
  });
  const drawn = stackedBars({
    id: `benchmark-${name}`,
    title,
    description: `${told.join('; ')}.`,
    unit: 'WCU',
    series: ["the saga's item", 'everything else'],
    bars,
    format: formatUnits,
  });
  return { name, title, drawn };
}

function cells({ calls, rcu, wcu, microsPerMessage }: GrowthPoint): string[] {
  return [formatUnits(calls), formatUnits(rcu), formatUnits(wcu), formatMillis(microsPerMessage / 1000)];
}
