import { settleAll, settled } from '../../../lib/kernel/async/settle.ts';
import type { GuardedProcess } from '../../../lib/local/engines/guarded-process.ts';
import { descendantsOf, signalProcess } from '../../support/processes.ts';
import type { Journal } from './journal.ts';

/** Ends the emulator and the processes of its functions, and takes every step whatever the others do. */
export async function stopEmulator(
  program: GuardedProcess,
  journal: Journal,
  processId: number,
  functionsOf = descendantsOf,
): Promise<void> {
  const killing = killFunctions(processId, functionsOf);
  await settled(killing);
  await settleAll([killing, program.stop(), journal.close()]);
}

async function killFunctions(processId: number, functionsOf: typeof descendantsOf): Promise<void> {
  // Stopped first, so that it starts no other function meanwhile.
  if (!signalProcess(processId, 'SIGSTOP')) return;
  for (const child of functionsOf(processId)) signalProcess(child, 'SIGKILL');
}
