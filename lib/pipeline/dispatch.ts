import type { Flow } from '../attempt/attempt.ts';
import type { Delivery } from '../attempt/delivery.ts';
import type { Ports } from '../attempt/ports.ts';
import type { CapacityMeter } from '../dynamodb/capacity-meter.ts';
import { settled } from '../kernel/async/settle.ts';
import type { EmbeddedSagas } from '../outbox/embedded/embedded-sagas.ts';
import type { OutboxStore } from '../outbox/outbox-store.ts';
import type { OutboxRecord, RecordReference } from '../outbox/record.ts';
import { isSameBitmap, isSent, type SentBitmap, sentBitmap } from '../outbox/sent-bitmap.ts';

/** How often a long dispatch saves its progress: the cost of a save grows with the size of the record. */
const SAVE_AFTER_OPERATIONS = 500;
const SAVE_AFTER_MS = 5000;

/** The stores of records, which are items of their own, or in items of sagas. */
export interface RecordPorts extends Pick<Ports, 'outbox'> {
  /** @default - there are none in items of sagas */
  readonly embedded?: EmbeddedSagas;
}

type DispatchPorts = RecordPorts & Pick<Ports, 'dispatcher' | 'clock'>;

export interface DispatchTerms {
  readonly meter: CapacityMeter;
  /** @default - never aborted */
  readonly signal?: AbortSignal | undefined;
  /** The delivery that dispatches, with the ids that it has sent before. @default - none */
  readonly delivery?: Pick<Delivery, 'sentIdsOf' | 'assertOngoing'> | undefined;
}

/**
 * Dispatches before it marks: a crash in between sends duplicates with the same ids; the other order would
 * lose messages.
 */
export async function dispatchAndMark(
  { ports }: Pick<Flow, 'ports'>,
  record: OutboxRecord,
  terms: DispatchTerms,
): Promise<void> {
  const dispatch = new OutboxDispatch(ports, record, terms);
  try {
    await dispatch.sendRest();
  } catch (error) {
    terms.delivery?.assertOngoing();
    await dispatch.saveProgress();
    throw error;
  }
  terms.delivery?.assertOngoing();
  // A mark that is no longer awaited may still be written: by then all is sent.
  await markDispatched(ports, dispatch.record, terms);
}

export async function markDispatched(
  ports: RecordPorts & Pick<Ports, 'clock'>,
  record: OutboxRecord,
  { meter, signal }: Pick<DispatchTerms, 'meter' | 'signal'>,
): Promise<void> {
  await storeOf(ports, record).markDispatched(record, ports.clock.now(), meter, signal);
}

/** The store in which a record is marked. */
function storeOf(
  { outbox, embedded }: RecordPorts,
  { sagaItem }: RecordReference,
): Pick<OutboxStore, 'saveProgress' | 'markDispatched'> {
  return (sagaItem && embedded) || outbox;
}

/** @throws SagaboxError as {@link OutboxStore.find} */
export async function readRecord(
  { outbox, embedded }: RecordPorts,
  record: RecordReference,
  meter: CapacityMeter,
): Promise<OutboxRecord | undefined> {
  return await (record.sagaItem && embedded
    ? embedded.find(record, meter)
    : outbox.find(record.messageId, meter));
}

/**
 * Sends the unsent operations of an outbox record, and saves its progress in the record, so that others need
 * not start over.
 */
export class OutboxDispatch {
  readonly #ports: DispatchPorts;
  readonly #terms: DispatchTerms;
  readonly #sentIds: Set<string>;
  #record: OutboxRecord;
  #takenSince = 0;
  #sinceMs: number;
  #saving: Promise<void> | undefined;

  constructor(ports: DispatchPorts, record: OutboxRecord, terms: DispatchTerms) {
    this.#ports = ports;
    this.#record = record;
    this.#terms = terms;
    this.#sentIds = terms.delivery?.sentIdsOf(record) ?? new Set();
    this.#sinceMs = ports.clock.now().getTime();
    const { operations, sent } = record;
    if (sent) this.#noteSent(operations.filter((_, index) => isSent(sent, index)).map(({ id }) => id));
  }

  /** The record, with the progress that this dispatch has saved in it. */
  get record(): OutboxRecord {
    return this.#record;
  }

  /** The operations that were taken and are not yet saved in the record. */
  get unsaved(): SentBitmap | undefined {
    const { operations, sent } = this.#record;
    const taken = operations.map(({ id }) => this.#sentIds.has(id));
    const bitmap = sentBitmap(taken);
    return !taken.includes(true) || isSameBitmap(bitmap, sent) ? undefined : bitmap;
  }

  /**
   * @throws SagaboxError `DispatchFailed` or `DispatchRefused`, or the signal's reason; some operations may
   * have been taken.
   */
  async sendRest(): Promise<void> {
    const { signal } = this.#terms;
    const rest = this.#record.operations.filter(({ id }) => !this.#sentIds.has(id));
    let left = rest.length;
    const onTaken = (operationIds: readonly string[]) => {
      this.#noteSent(operationIds);
      left -= operationIds.length;
      this.#takenSince += operationIds.length;
      if (left > 0 && this.#isLong && !signal?.aborted) this.#saving ??= this.#saveNow();
    };
    try {
      if (left > 0) await this.#ports.dispatcher.dispatch(rest, { signal, onTaken });
    } finally {
      await this.#saving;
    }
  }

  /** Saves the progress. Never fails: an operation that is not saved is sent again, with the same id. */
  async saveProgress(): Promise<void> {
    const { unsaved } = this;
    if (unsaved === undefined) return;
    const saved = await settled(
      storeOf(this.#ports, this.#record).saveProgress(this.#record, unsaved, this.#terms.meter),
    );
    if (saved.status === 'fulfilled') this.#record = { ...this.#record, sent: saved.value };
  }

  #noteSent(operationIds: readonly string[]): void {
    for (const id of operationIds) this.#sentIds.add(id);
  }

  get #isLong(): boolean {
    const durationMs = this.#ports.clock.now().getTime() - this.#sinceMs;
    return this.#takenSince >= SAVE_AFTER_OPERATIONS || durationMs >= SAVE_AFTER_MS;
  }

  async #saveNow(): Promise<void> {
    this.#takenSince = 0;
    this.#sinceMs = this.#ports.clock.now().getTime();
    await this.saveProgress();
    this.#saving = undefined;
  }
}
