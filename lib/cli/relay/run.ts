import { SagaboxError } from '../../core/failures/errors.ts';
import { CapacityMeter } from '../../core/storage/capacity-meter.ts';
import { recover } from '../../flow/relay/relay.ts';
import { type RecoveryResult, recoveryFailure } from '../../flow/relay/relay-result.ts';
import type { Recovery } from '../../middleware/configure-recovery.ts';
import type { CommandIo } from '../command.ts';
import { type DryRunResult, summaryOf, waitingRecord } from './result.ts';

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
  const result: Omit<DryRunResult, 'capacity'> = {
    waiting: [],
    failed: [],
    complete: false,
    searchError: undefined,
  };
  const now = clock.now();
  const storedBefore = new Date(now.getTime() - configured.olderThanMs);
  try {
    for await (const messageId of undispatched.find(storedBefore, meter, io.signal)) {
      if (io.signal.aborted) break;
      try {
        const record = await outbox.find(messageId, meter);
        if (record?.dispatched === false) result.waiting.push(waitingRecord(record, now));
      } catch (error) {
        result.failed.push(recoveryFailure(messageId, error));
      }
    }
    result.complete = !io.signal.aborted;
  } catch (error) {
    result.searchError = error;
  }
  return { ...result, capacity: meter.total };
}

/**
 * DynamoDB refuses to read by keys that the table does not have, whereas a search by them finds nothing. What else goes wrong
 * is left to the search.
 */
export async function hasOtherKeys({ ports }: Recovery): Promise<boolean> {
  try {
    await ports.outbox.find('sagabox recover', new CapacityMeter());
    return false;
  } catch (error) {
    return error instanceof SagaboxError && error.code === 'RequestRejected';
  }
}
