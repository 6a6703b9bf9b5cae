import type { Relay } from '../../compose/relay/configure-relay.ts';
import { rememberScan } from '../../compose/relay/relay-watch.ts';
import { CapacityMeter } from '../../dynamodb/capacity-meter.ts';
import { settled } from '../../kernel/async/settle.ts';
import { isSagaboxError } from '../../kernel/errors/errors.ts';
import { readRecord } from '../../pipeline/dispatch.ts';
import { relayRecords } from '../../relay/relay.ts';
import { type RelayFailure, type RelayResult, relayFailure } from '../../relay/relay-result.ts';
import { type CommandIo, reasonOf } from '../command.ts';
import { type DryRunResult, summaryOf, type WaitingRecord, waitingRecord } from './result.ts';

/** A line of progress for so many records. */
const RECORDS_PER_LINE = 100;

export async function runRelay(
  { ports, settings, configured, watch }: Relay,
  io: CommandIo,
): Promise<RelayResult> {
  let records = 0;
  const storedBefore = new Date(ports.clock.now().getTime() - configured.olderThanMs);
  const result = await relayRecords(ports, {
    ...settings,
    signal: io.signal,
    onRecord: (_messageId, result) => {
      records += 1;
      if (records % RECORDS_PER_LINE === 0) io.err(summaryOf(result));
    },
  });
  if (configured.strategy === 'scan') {
    const remembered = await settled(rememberScan(watch, result, storedBefore));
    // What was relayed stays so; a scan that is due stays due.
    if (remembered.status === 'rejected')
      io.err(`That the scan was made could not be kept: ${reasonOf(remembered.reason)}`);
  }
  return result;
}

/** Reads what a run would dispatch, and takes no lease: another run may be at work on some of it. */
export async function runDry({ ports, configured }: Relay, io: CommandIo): Promise<DryRunResult> {
  const { undispatched, clock } = ports;
  const meter = new CapacityMeter();
  const waiting: WaitingRecord[] = [];
  const failed: RelayFailure[] = [];
  const now = clock.now();
  const storedBefore = new Date(now.getTime() - configured.olderThanMs);
  let searchError: unknown;
  try {
    for await (const found of undispatched.find(storedBefore, meter, io.signal)) {
      if (io.signal.aborted) break;
      try {
        const record = await readRecord(ports, found, meter);
        if (record?.dispatched === false) waiting.push(waitingRecord(record, now));
      } catch (error) {
        failed.push(relayFailure(found.messageId, error));
      }
    }
  } catch (error) {
    searchError = error;
  }
  const complete = searchError === undefined && !io.signal.aborted;
  return { waiting, failed, complete, searchError, capacity: meter.total };
}

/**
 * DynamoDB refuses to read by keys that the table does not have, whereas a search by them finds no record.
 * Other errors are left to the search.
 */
export async function hasOtherKeys({ ports }: Relay): Promise<boolean> {
  try {
    await ports.outbox.find('sagabox relay', new CapacityMeter());
    return false;
  } catch (error) {
    return isSagaboxError(error) && error.code === 'RequestRejected';
  }
}
