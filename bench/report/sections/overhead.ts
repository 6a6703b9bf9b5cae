import type { OverheadFigures, OverheadOfBatch } from '../../benchmark/benchmark-figures.ts';
import { formatAllocated, formatMicros, formatSignificant } from '../../benchmark/format.ts';
import { comparisonChart } from '../comparison-chart.ts';
import type { Section } from '../section.ts';

const contenders = ['sagabox', 'sagabox, saga and send', 'Powertools', 'bare middy'];

export function overheadSection({ batch1, batch10 }: OverheadFigures): Section {
  return {
    heading: 'Overhead',
    explanation: [
      `The time and the allocations of one invocation, with clients that answer at once: what is left is the code around the SDK. The
contenders take turns in one process of their own. \`median\` is the median of the medians of the rounds: what an invocation takes during which no garbage is
collected. \`mean\` has what the collection takes in it, which is more the more is allocated, and differs more from run to run.`,
      `\`sagabox\` and \`Powertools\` both take care that a message which is delivered again changes nothing, in different ways. Powertools is its batch
processing with an idempotent record handler, whose key is the SQS message id: for each record it puts an item that tells the work is in progress, before
the handler runs, and updates it with the result: 20 calls for ten records. Two deliveries at the same time run the handler once; but what the
handler writes does not commit with that item. sagabox looks for all ten records with one call, and puts a record when each is handled: 11 calls. Two deliveries at the
same time both run the handler, and one of them commits.`,
      `\`sagabox, saga and send\` does what nothing beside it does: it also creates a saga and sends a message for each record, in one commit. \`bare middy\`
parses and handles the records and does nothing else: a duplicate is handled twice. All of them check the bodies by the same function.`,
      `A contender that makes fewer calls gets nothing for it here: [cost](#cost) and [throughput](#throughput) tell that.`,
    ],
    tables: [
      {
        head: ['', ...['1 record', '10 records'].flatMap((size) => [`${size}: median`, 'mean', 'allocated'])],
        rows: contenders.map((name, index) => [
          name,
          ...[batch1, batch10].flatMap((batch) => [
            formatMicros(micros(batch)[index] ?? Number.NaN),
            formatMicros(means(batch)[index] ?? Number.NaN),
            formatAllocated(allocated(batch)[index] ?? Number.NaN),
          ]),
        ]),
      },
    ],
    charts: [
      comparisonChart({
        name: 'overhead',
        title: 'Median time of one invocation with ten records, clients that answer at once',
        unit: 'microseconds',
        contenders,
        groups: [{ label: '', values: micros(batch10) }],
        format: formatSignificant,
      }),
    ],
  };
}

function micros(batch: OverheadOfBatch): number[] {
  return [batch.sagaboxMicros, batch.sagaboxSagaMicros, batch.powertoolsMicros, batch.middyMicros];
}

function means(batch: OverheadOfBatch): number[] {
  return [
    batch.sagaboxMeanMicros,
    batch.sagaboxSagaMeanMicros,
    batch.powertoolsMeanMicros,
    batch.middyMeanMicros,
  ];
}

function allocated(batch: OverheadOfBatch): number[] {
  return [
    batch.sagaboxAllocatedBytes,
    batch.sagaboxSagaAllocatedBytes,
    batch.powertoolsAllocatedBytes,
    batch.middyAllocatedBytes,
  ];
}
