import { CapacityMeter } from '../core/capacity-meter.ts';
import { recover } from '../flow/recover.ts';
import { type RecoveryResult, recoveryFailure } from '../flow/recovery-result.ts';
import type { Recovery } from '../middleware/configure-recovery.ts';
import type { CommandIo } from './command.ts';
import { type DryRunResult, summaryOf, waitingRecord } from './recover-result.ts';

/** A line of progress for so many records. */
const RECORDS_PER_LINE = 100;

export async function runRecovery({ ports, settings }: Recovery, io: CommandIo): Promise<RecoveryResult> {
  let records = 0;
  return await recover(ports, {
    ...settings,
    signal: io.signal,
    onRecord: (_messageId, result) => {
      records += 1;
      if (records % RECORDS_PER_LINE === 0) io.err(summaryOf(result));
    },
  });
}

/** Reads what a run would dispatch, and takes nothing: another run may be at work on some of it. */
export async function runDry({ ports, configured }: Recovery, io: CommandIo): Promise<DryRunResult> {
  const { undispatched, outbox, clock } = ports;
  const meter = new CapacityMeter();
  const result: DryRunResult = { waiting: [], failed: [], complete: false, searchError: undefined };
  const storedBefore = new Date(clock.now().getTime() - configured.olderThanMs);
  try {
    for await (const messageId of undispatched.find(storedBefore, meter, io.signal)) {
      if (io.signal.aborted) break;
      try {
        const record = await outbox.find(messageId, meter);
        if (record?.dispatched === false) result.waiting.push(waitingRecord(record));
      } catch (error) {
        result.failed.push(recoveryFailure(messageId, error));
      }
    }
    result.complete = !io.signal.aborted;
  } catch (error) {
    result.searchError = error;
  }
  return result;
}
