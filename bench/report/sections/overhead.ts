import { formatAllocated, formatMicros, formatSignificant } from '../../benchmark/format.ts';
import type { OverheadFigures, OverheadOfBatch } from '../../benchmark-figures.ts';
import { comparisonChart } from '../comparison-chart.ts';
import type { Section } from '../section.ts';

const contenders = ['sagabox', 'sagabox, saga and send', 'Powertools', 'bare middy'];

export function overheadSection({ batch1, batch10 }: OverheadFigures): Section {
  return {
    heading: 'Overhead',
    explanation: [
      `The time and the allocations of one invocation, with clients that answer at once: what is left is the code around the SDK. The
contenders take turns in one process of their own; the figures are medians of the medians of the rounds.`,
      `\`sagabox\` and \`Powertools\` do the same: each record of the batch is looked for, handled, and remembered (Powertools: batch
processing with an idempotent record handler, its key the SQS message id; what its handler writes does not commit with the record). \`sagabox, saga and send\` does what nothing beside it does: it also
creates a saga and sends a message for each record, in one commit. \`bare middy\` parses and handles the records and does nothing else: a
duplicate is handled twice. All of them check the bodies by the same function.`,
      `A contender that makes fewer calls gets nothing for it here: [cost](#cost) and [throughput](#throughput) tell that.`,
    ],
    tables: [
      {
        head: ['', '1 record', 'allocated', '10 records', 'allocated'],
        rows: contenders.map((name, index) => [
          name,
          ...[batch1, batch10].flatMap((batch) => [
            formatMicros(micros(batch)[index] ?? Number.NaN),
            formatAllocated(allocated(batch)[index] ?? Number.NaN),
          ]),
        ]),
      },
    ],
    charts: [
      comparisonChart({
        name: 'overhead',
        title: 'Time of one invocation with ten records, clients that answer at once',
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

function allocated(batch: OverheadOfBatch): number[] {
  return [
    batch.sagaboxAllocatedBytes,
    batch.sagaboxSagaAllocatedBytes,
    batch.powertoolsAllocatedBytes,
    batch.middyAllocatedBytes,
  ];
}
