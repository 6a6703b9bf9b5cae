import type { GuardedProcess } from '../../../lib/local/engines/guarded-process.ts';
import { descendantsOf, signalProcess } from '../../support/processes.ts';
import { cleanUpAfter } from './clean-up.ts';
import type { Journal } from './journal.ts';

/** Ends the emulator and the processes of its functions, and takes every step whatever the others do. */
export async function stopEmulator(
  program: GuardedProcess,
  journal: Journal,
  processId: number,
  functionsOf = descendantsOf,
): Promise<void> {
  await cleanUpAfter(async () => {
    // Stopped first, so that it starts no other function meanwhile.
    if (!signalProcess(processId, 'SIGSTOP')) return;
    for (const child of functionsOf(processId)) signalProcess(child, 'SIGKILL');
  }, [() => program.stop(), () => journal.close()]);
}
