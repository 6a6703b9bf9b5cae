import type { ContentionRound, Figures } from '../benchmark/figures.ts';
import type { Mode } from './options.ts';

/** One mode of sagabox beside another way to do the same. */
export type ContentionFigures = Partial<Figures['contention']>;

/** What did not hold. */
export function complaints(mode: Mode, { [mode]: own, blindSpin }: ContentionFigures): string[] {
  if (own === undefined) throw new Error(`The mode ${mode} was not measured`);
  return [...lossesOf(own), ...(blindSpin ? complaintsBeside(blindSpin, own) : [])];
}

function lossesOf({ messages, appliedOnce, appliedTwice, deadLettered }: ContentionRound): string[] {
  const lost = messages - appliedOnce - appliedTwice;
  return [
    lost > 0 && `${lost} messages were not applied`,
    appliedTwice > 0 && `${appliedTwice} messages were applied more than once`,
    deadLettered > 0 && `${deadLettered} messages are in the dead-letter queue`,
  ].filter((loss) => loss !== false);
}

function complaintsBeside(blindSpin: ContentionRound, own: ContentionRound): string[] {
  return [
    own.refusedLockAttempts > blindSpin.refusedLockAttempts / 2 &&
      'more than half of the refused lock attempts of the blind spin',
    own.seconds > blindSpin.seconds && 'slower than the blind spin',
  ].filter((complaint) => complaint !== false);
}
