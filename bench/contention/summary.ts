import type { ContentionRound, Figures } from '../benchmark/figures.ts';
import type { Mode } from './options.ts';

/** One mode of sagabox beside another way to do the same. */
export type ContentionFigures = Partial<Figures['contention']>;

/** The time of all messages, as a share of that of the pessimistic mode; undefined where that was not run. */
export function againstPessimistic(
  mode: Mode,
  { [mode]: own, pessimistic }: ContentionFigures,
): number | undefined {
  if (mode === 'pessimistic' || own === undefined || pessimistic === undefined) return undefined;
  return own.seconds / pessimistic.seconds;
}

/** What did not hold: losses, which nothing excuses, and what is worse than the blind spin, which depends on the machine. */
export function complaints(mode: Mode, { [mode]: own, embedded, blindSpin }: ContentionFigures) {
  if (own === undefined) throw new Error(`The mode ${mode} was not measured`);
  const ofEmbedded = embedded ? lossesOf(embedded).map((loss) => `embedded outbox: ${loss}`) : [];
  return {
    losses: [...lossesOf(own), ...ofEmbedded],
    worse: blindSpin ? complaintsBeside(blindSpin, own) : [],
  };
}

function lossesOf({ messages, applied, twice, deadLettered }: ContentionRound): string[] {
  const lost = messages - applied - twice;
  return [
    lost > 0 && `${lost} messages were not applied`,
    twice > 0 && `${twice} messages were applied more than once`,
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
