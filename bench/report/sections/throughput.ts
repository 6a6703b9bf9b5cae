import { defaults } from '../../../lib/middleware/defaults.ts';
import type { ThroughputFigures } from '../../benchmark/benchmark-figures.ts';
import { formatRatio, formatWhole } from '../../benchmark/format.ts';
import { concurrency } from '../../throughput/concurrency.ts';
import { comparisonChart } from '../comparison-chart.ts';
import type { Section } from '../section.ts';

const atATime = ['1', '10', '50'] as const;

export function throughputSection(throughput: ThroughputFigures): Section {
  const { sagaboxDefaultConcurrency: byDefault, itemized: peer } = throughput['50'];
  return {
    heading: 'Throughput',
    explanation: [
      `Messages per second on the local engines, with 1, 10 and 50 messages in one event; the next event comes when it is done.
Each message changes a saga of about 1,000 bytes and sends one message. sagabox is the handler that is deployed, called as Lambda calls it, but for one
setting: \`concurrency\` is ${concurrency}, so that all messages of an event are worked on at a time, as the itemized peer does
(\`bench/peers/itemized.ts\`). Where an event has more messages than the default of ${defaults.concurrency}, the last row tells what becomes of it with that default. All use the same
clients and messages, in rounds that alternate; the figures are medians of the rounds. At the end the sagas and the queues are counted: nothing may be missing.`,
      `The engines run on the machine that measures, and take most of its processors' time: the ratio is roughly that of the calls, and what other work there is
makes it higher. On DynamoDB and SQS the calls of many messages overlap, and it is the time of one call that counts, and how many follow one another. For one
message these are four for sagabox and six for the itemized peer: at one message at a time expect no more than that. At 10 and 50 at a time the time of a batch
there is that of the calls which follow one another, and the ratio of the calls is what is paid and what is throttled. The figures per second are those of this machine.`,
    ],
    tables: [
      {
        head: ['at a time', 'sagabox', 'itemized', 'ratio'],
        rows: [
          ...atATime.map((count) => {
            const { sagabox, itemized, ratio } = throughput[count];
            return [count, formatWhole(sagabox), formatWhole(itemized), formatRatio(ratio)];
          }),
          [
            `50, with the default \`concurrency\` of ${defaults.concurrency}`,
            formatWhole(byDefault),
            formatWhole(peer),
            formatRatio(byDefault / peer),
          ],
        ],
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
