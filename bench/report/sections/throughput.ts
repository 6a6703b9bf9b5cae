import { formatRatio, formatWhole } from '../../benchmark/format.ts';
import type { ThroughputFigures } from '../../benchmark-figures.ts';
import { comparisonChart } from '../comparison-chart.ts';
import type { Section } from '../section.ts';

const atATime = ['1', '10', '50'] as const;

export function throughputSection(throughput: ThroughputFigures): Section {
  return {
    heading: 'Throughput',
    explanation: [
      `Messages per second on DynamoDB Local and the SQS emulator, with 1, 10 and 50 messages in one event, all of them worked on at a time; the next
event comes when it is done. Each message changes a saga of about 1,000 bytes and sends one message. sagabox is the handler that is deployed,
called as Lambda calls it; the itemized peer is \`bench/peers/itemized.ts\`. Both use the same clients and messages, in rounds that
alternate; the figures are medians of the rounds. At the end the sagas and the queues are counted: nothing may be missing.`,
      `The figures per second are those of this machine: the engines run beside what is measured, and take most of its processors' time. The ratio
tells more than the speeds.`,
    ],
    tables: [
      {
        head: ['at a time', 'sagabox', 'itemized', 'ratio'],
        rows: atATime.map((count) => {
          const { sagabox, itemized, ratio } = throughput[count];
          return [count, formatWhole(sagabox), formatWhole(itemized), formatRatio(ratio)];
        }),
      },
    ],
    charts: [
      comparisonChart({
        name: 'throughput',
        title: 'Messages per second on the local engines',
        unit: 'messages per second',
        contenders: ['sagabox', 'itemized'],
        groups: atATime.map((count) => ({
          label: `${count} at a time,`,
          values: [throughput[count].sagabox, throughput[count].itemized],
        })),
        format: formatWhole,
      }),
    ],
  };
}
