import { conclude, exitCodes, print } from '../../test/support/command.ts';
import type { MachineControl } from './machine-control.ts';

export interface Complaint {
  readonly text: string;
  /** What was measured, if only an idle machine can show that it holds. */
  readonly timedPart: string | undefined;
}

/**
 * Prints how a run ended. Complaints that a busy machine may have caused are no failure, and no success.
 *
 * @returns the exit code
 */
export function concludeMeasured(
  complaints: readonly Complaint[],
  control: Pick<MachineControl, 'isBusy'>,
): number {
  const isUnjudged = ({ timedPart }: Complaint) => timedPart !== undefined && control.isBusy(timedPart);
  const texts = complaints.map(({ text }) => text);
  if (complaints.length === 0 || !complaints.every(isUnjudged)) return conclude(texts);
  print(`\nMACHINE BUSY ${texts.join('; ')}`);
  print('Other processes used the processors meanwhile: run it again when nothing else runs.');
  return exitCodes.busy;
}
