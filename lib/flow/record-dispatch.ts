import type { OutboxRecord } from '../core/outbox/commit.ts';
import { isSameBitmap, isSent, type SentBitmap, sentBitmap } from '../core/outbox/sent-bitmap.ts';
import type { CapacityMeter } from '../core/storage/capacity-meter.ts';
import type { Ports } from '../ports.ts';
import type { Delivery } from './batch/delivery.ts';
import { DispatchLedger } from './dispatch-ledger.ts';

/**
 * A long dispatch saves its progress after so many operations, or so long: each save costs as much as the
 * record is large.
 */
const KEPT_AFTER_OPERATIONS = 500;
const KEPT_AFTER_MS = 5000;

export interface DispatchTerms {
  readonly meter: CapacityMeter;
  /** @default - never aborted */
  readonly signal?: AbortSignal | undefined;
  /** The delivery of this dispatch, with what it has sent before. @default - none */
  readonly delivery?: Pick<Delivery, 'ledger' | 'assertOngoing'> | undefined;
}

/**
 * Sends what is left to be sent of one record, and keeps in the record how far it got, so that others need
 * not begin anew.
 */
export class RecordDispatch {
  readonly #ports: Pick<Ports, 'dispatcher' | 'outbox' | 'clock'>;
  readonly #meter: CapacityMeter;
  readonly #signal: AbortSignal | undefined;
  readonly #ledger: DispatchLedger;
  #record: OutboxRecord;
  #takenSince = 0;
  #sinceMs: number;
  #keeping: Promise<void> | undefined;

  constructor(
    ports: Pick<Ports, 'dispatcher' | 'outbox' | 'clock'>,
    record: OutboxRecord,
    { meter, signal, delivery }: DispatchTerms,
  ) {
    this.#ports = ports;
    this.#record = record;
    this.#meter = meter;
    this.#signal = signal;
    this.#ledger = delivery?.ledger ?? new DispatchLedger();
    this.#sinceMs = ports.clock.now().getTime();
    const { operations, sent } = record;
    if (sent) this.#ledger.add(operations.filter((_, index) => isSent(sent, index)).map(({ id }) => id));
  }

  /** As it is stored, as far as this dispatch has written to it. */
  get record(): OutboxRecord {
    return this.#record;
  }

  /** The operations that were taken and are not yet saved in the record. */
  get unkept(): SentBitmap | undefined {
    const { operations, sent } = this.#record;
    const taken = operations.map(({ id }) => this.#ledger.has(id));
    const bitmap = sentBitmap(taken);
    return !taken.includes(true) || isSameBitmap(bitmap, sent) ? undefined : bitmap;
  }

  /**
   * @throws SagaboxError `DispatchFailed` or `DispatchRefused`, or the signal's reason; some operations may
   * have been taken.
   */
  async sendRest(): Promise<void> {
    const rest = this.#record.operations.filter(({ id }) => !this.#ledger.has(id));
    let left = rest.length;
    const onTaken = (operationIds: readonly string[]) => {
      this.#ledger.add(operationIds);
      left -= operationIds.length;
      this.#takenSince += operationIds.length;
      if (left > 0 && this.#isLong && !this.#signal?.aborted) this.#keeping ??= this.#keepNow();
    };
    try {
      if (left > 0) await this.#ports.dispatcher.dispatch(rest, { signal: this.#signal, onTaken });
    } finally {
      await this.#keeping;
    }
  }

  /** Never fails: what is not kept is sent again, with the same ids. */
  async keepSent(): Promise<void> {
    const { unkept } = this;
    if (unkept === undefined) return;
    const [kept] = await Promise.allSettled([this.#ports.outbox.keepSent(this.#record, unkept, this.#meter)]);
    if (kept.status === 'fulfilled') this.#record = { ...this.#record, sent: kept.value };
  }

  get #isLong(): boolean {
    const durationMs = this.#ports.clock.now().getTime() - this.#sinceMs;
    return this.#takenSince >= KEPT_AFTER_OPERATIONS || durationMs >= KEPT_AFTER_MS;
  }

  async #keepNow(): Promise<void> {
    this.#takenSince = 0;
    this.#sinceMs = this.#ports.clock.now().getTime();
    await this.keepSent();
    this.#keeping = undefined;
  }
}
