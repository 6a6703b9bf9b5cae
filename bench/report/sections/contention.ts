import { formatSeconds, formatUnits, formatWhole } from '../../benchmark/format.ts';
import type { ContentionBenchFigures } from '../../benchmark-figures.ts';
import { comparisonChart } from '../comparison-chart.ts';
import type { Section } from '../section.ts';

const names: Readonly<Record<keyof ContentionBenchFigures, string>> = {
  optimistic: 'optimistic',
  eventual: 'eventual',
  pessimistic: 'pessimistic',
  blindSpin: 'blind spin',
  retryWithoutJitter: 'retry without jitter',
};
const rounds = Object.keys(names) as (keyof ContentionBenchFigures)[];

export function contentionSection(contention: ContentionBenchFigures): Section {
  const wcuOf = (round: keyof ContentionBenchFigures) => contention[round].wcuPerMessage;
  return {
    heading: 'Contention',
    explanation: [
      `200 messages that all meet one saga, and eight workers that take batches of up to ten from one queue, as Lambda does. The first three are
[the modes of sagabox](concurrency.md). \`blind spin\` asks for the lock as the published systems do: each message by itself, after a random time of
the same range, whoever holds it. \`retry without jitter\` is the loop around a conditional write that is written by hand: after a conflict it
starts over after a delay that doubles, and is the same for all. Everything else is the same for all five: conditions, commit, queue, engine.`,
      `One follows another on the same engines, after each of them has warmed up. Who waits when is chance: conflicts and refused
attempts differ from run to run, the times with them.`,
    ],
    tables: [
      {
        head: [
          '',
          'applied once',
          'applied twice',
          'dead-lettered',
          'conflicts',
          'refused lock attempts',
          'RCU per message',
          'WCU per message',
          'time',
        ],
        rows: rounds.map((round) => {
          const figures = contention[round];
          return [
            names[round],
            formatWhole(figures.appliedOnce),
            formatWhole(figures.appliedTwice),
            formatWhole(figures.deadLettered),
            formatWhole(figures.conflicts),
            formatWhole(figures.refusedLockAttempts),
            formatUnits(figures.rcuPerMessage),
            formatUnits(figures.wcuPerMessage),
            formatSeconds(figures.seconds),
          ];
        }),
      },
    ],
    charts: [
      comparisonChart({
        name: 'contention',
        title: 'Write units of one message when all messages meet one saga',
        unit: 'WCU per message',
        contenders: ['sagabox', 'another way'],
        groups: rounds.map((round) => {
          const isPeer = round === 'blindSpin' || round === 'retryWithoutJitter';
          const values = isPeer ? [undefined, wcuOf(round)] : [wcuOf(round), undefined];
          return { label: names[round], values };
        }),
        format: formatUnits,
      }),
    ],
  };
}
