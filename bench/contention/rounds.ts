import { median } from '../../test/support/median.ts';
import type { ContentionRound } from '../benchmark/benchmark-figures.ts';
import type { RoundFigures } from './round.ts';

/** The medians of what chance decides on; of what may never happen, the worst round. */
export function figuresOfRounds(rounds: readonly RoundFigures[]): ContentionRound {
  const all = (figure: keyof RoundFigures) => rounds.map((round) => round[figure]);
  return {
    messages: median(all('messages')),
    appliedOnce: Math.min(...rounds.map(({ applied, appliedTwice }) => applied - appliedTwice)),
    appliedTwice: Math.max(...all('appliedTwice')),
    deadLettered: Math.max(...all('deadLettered')),
    refusedLockAttempts: median(all('refusedLockAttempts')),
    conflicts: median(all('conflicts')),
    rcuPerMessage: median(all('rcuPerMessage')),
    wcuPerMessage: median(all('wcuPerMessage')),
    refusedWcuPerMessage: median(all('refusedWcuPerMessage')),
    seconds: median(all('seconds')),
  };
}
