import type { ContentionBenchFigures } from '../../benchmark/benchmark-figures.ts';
import { formatSeconds, formatUnits, formatWhole } from '../../benchmark/format.ts';
import { wcuOfMessage } from '../../limits/contention-figures.ts';
import { comparisonChart } from '../comparison-chart.ts';
import type { Section } from '../section.ts';

const names: Readonly<Record<keyof ContentionBenchFigures, string>> = {
  optimistic: 'optimistic',
  eventual: 'eventual',
  pessimistic: 'pessimistic',
  blindSpin: 'blind spin',
  retryWithoutJitter: 'plain retry loop',
  turnsWithoutJitter: 'turns, no jitter',
  jitterWithoutTurns: 'jitter, no turns',
};
const own: readonly (keyof ContentionBenchFigures)[] = ['optimistic', 'eventual', 'pessimistic'];
const rounds = Object.keys(names) as (keyof ContentionBenchFigures)[];

export function contentionSection(contention: ContentionBenchFigures): Section {
  const wcuOf = (round: keyof ContentionBenchFigures) => wcuOfMessage(contention[round]);
  return {
    heading: 'Contention',
    explanation: [
      `${formatWhole(contention.optimistic.messages)} messages that all meet one saga, and eight workers that take batches of up to ten from one queue, as Lambda does. The first three are
[the modes of sagabox](../guide/concurrency.md), in which the messages of one batch that meet one saga take turns. The others use the same conditions, commit, queue and
engine. \`blind spin\` asks for the lock as the published systems do: each message by itself, without turns, after a random time of the same
range, whoever holds it. \`plain retry loop\` is what is written by hand around a conditional write: no turns, and after a conflict a delay that doubles and is the same
for all, as often as it takes. That delay is as long as sagabox's is on average.`,
      `The last two tell which of its two differences matters: each is \`optimistic\` without one of them. [What comes of it](../guide/concurrency.md#measured) is told
beside the modes.`,
      `They take turns on the same engines, after each of them has warmed up. Who waits when is chance: conflicts, refused attempts and times differ
from round to round, the times most. Of them the figures are medians of the rounds; of messages that were lost, or applied twice, the worst round.`,
    ],
    tables: [
      {
        head: [
          '',
          'messages',
          'applied once',
          'applied twice',
          'dead-lettered',
          'conflicts',
          'refused lock attempts',
          'RCU per message',
          'WCU per message',
          'refused WCU per message',
          'time',
        ],
        rows: rounds.map((round) => {
          const figures = contention[round];
          return [
            names[round],
            formatWhole(figures.messages),
            formatWhole(figures.appliedOnce),
            formatWhole(figures.appliedTwice),
            formatWhole(figures.deadLettered),
            formatWhole(figures.conflicts),
            formatWhole(figures.refusedLockAttempts),
            formatUnits(figures.rcuPerMessage),
            formatUnits(figures.wcuPerMessage),
            formatUnits(figures.refusedWcuPerMessage),
            formatSeconds(figures.seconds),
          ];
        }),
      },
    ],
    charts: [
      comparisonChart({
        name: 'contention',
        title: 'Write units of one message, refused ones included, when all messages meet one saga',
        unit: 'WCU per message',
        contenders: ['sagabox', 'another way'],
        groups: rounds.map((round) => {
          const values = own.includes(round) ? [wcuOf(round), undefined] : [undefined, wcuOf(round)];
          return { label: names[round], values };
        }),
        format: formatUnits,
      }),
    ],
  };
}
