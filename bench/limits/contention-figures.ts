import type { ContentionBenchFigures, ContentionRound } from '../benchmark/benchmark-figures.ts';
import { formatWhole } from '../benchmark/format.ts';
import { type DerivedFigure, derived, ratioOf } from './derived-figure.ts';

export const contentionFigures = {
  appliedOnce: derived(
    'contention',
    'Messages that were applied once / that were sent: the mode of sagabox with the fewest',
    (rounds) =>
      Math.min(
        ...ownModes(rounds).map(({ appliedOnce, messages }) => (messages > 0 ? appliedOnce / messages : 0)),
      ),
  ),
  appliedTwice: derived(
    'contention',
    'Messages that were applied twice, in any mode of sagabox',
    mostOfModes('appliedTwice'),
    formatWhole,
  ),
  deadLettered: derived(
    'contention',
    'Messages in the dead-letter queue, in any mode of sagabox',
    mostOfModes('deadLettered'),
    formatWhole,
  ),
  refusedAttempts: compared('Refused lock attempts', 'refusedLockAttempts', 'pessimistic', 'blindSpin'),
  lockedWcu: compared('WCU of one message, refused ones included', wcuOfMessage, 'pessimistic', 'blindSpin'),
  lockedTime: compared('Time of all messages', 'seconds', 'pessimistic', 'blindSpin'),
  conflicts: compared('Conflicts', 'conflicts', 'optimistic', 'retryWithoutJitter'),
  optimisticWcu: compared(
    'WCU of one message, refused ones included',
    wcuOfMessage,
    'optimistic',
    'retryWithoutJitter',
  ),
  optimisticTime: compared('Time of all messages', 'seconds', 'optimistic', 'retryWithoutJitter'),
} as const satisfies Record<string, DerivedFigure>;

function ownModes({ optimistic, eventual, pessimistic }: ContentionBenchFigures): ContentionRound[] {
  return [optimistic, eventual, pessimistic];
}

function mostOfModes(kind: keyof ContentionRound) {
  return (rounds: ContentionBenchFigures) => Math.max(...ownModes(rounds).map((round) => round[kind]));
}

/** What every write of a message takes, also of those that were refused. */
export function wcuOfMessage({ wcuPerMessage, refusedWcuPerMessage }: ContentionRound): number {
  return wcuPerMessage + refusedWcuPerMessage;
}

function compared(
  what: string,
  kind: keyof ContentionRound | ((round: ContentionRound) => number),
  own: 'optimistic' | 'pessimistic',
  peer: 'blindSpin' | 'retryWithoutJitter',
): DerivedFigure {
  const peers = { blindSpin: 'blind spin', retryWithoutJitter: 'plain retry loop' } as const;
  const of = typeof kind === 'function' ? kind : (round: ContentionRound) => round[kind];
  return derived('contention', `${what}: ${own} / ${peers[peer]}`, (rounds) =>
    ratioOf(of(rounds[own]), of(rounds[peer])),
  );
}
