import { crc32 } from 'node:zlib';
import { MESSAGE_HASH_BYTES, messageHash } from './message-hash.ts';

const EXPIRY_BYTES = 3;
const TYPE_BYTES = 3;

/**
 * One message:
 *
 * ```text
 *  0         9         12           15
 *  ├ hash ───┼ expiry ─┼ R ─ type ──┤
 * ```
 *
 * The expiry is in hours since 1970. `R` is one bit: whether the message has an outbox record, too.
 */
export const INBOX_ENTRY_BYTES = MESSAGE_HASH_BYTES + EXPIRY_BYTES + TYPE_BYTES;

const MS_PER_HOUR = 3_600_000;
const RECORD_BIT = 0x800000;
const TYPE_BITS = 0x7fffff;
/** Of a message without a type: one that is configured later, as its default, is no other one. */
const NO_TYPE = 0;

/** A message that was handled. */
export interface InboxEntry {
  /** It is forgotten then. */
  readonly expiresAt: Date;
  /** Whether its outbox record tells whether its messages are sent. */
  readonly hasRecord: boolean;
  readonly typeHash: number;
}

export interface HandledMessage {
  readonly id: string;
  readonly type: string;
  readonly hasRecord: boolean;
}

/**
 * The ids of the messages that a saga has handled, as its item keeps them: entries of one width, in the order in
 * which they were handled.
 */
export class Inbox {
  static readonly empty = new Inbox(new Uint8Array());

  readonly bytes: Uint8Array;

  /** @throws RangeError for bytes that are not of whole entries */
  constructor(bytes: Uint8Array) {
    if (bytes.byteLength % INBOX_ENTRY_BYTES !== 0)
      throw new RangeError(`it has ${bytes.byteLength} bytes, which are not of ${INBOX_ENTRY_BYTES} each`);
    this.bytes = bytes;
  }

  get size(): number {
    return this.bytes.byteLength / INBOX_ENTRY_BYTES;
  }

  find(messageId: string): InboxEntry | undefined {
    const wanted = messageHash(messageId);
    const offset = this.#offsets.find((at) => wanted.equals(this.#hashAt(at)));
    return offset === undefined ? undefined : this.#entryAt(offset);
  }

  /**
   * Without what has expired.
   *
   * @param isPending whether messages of an entry are still to be sent, by its pending key: it stays then
   */
  live(now: Date, isPending: (key: string) => boolean): Inbox {
    const isLive = (at: number) => this.#expiryAt(at) > now.getTime() || isPending(this.#keyAt(at));
    const offsets = this.#offsets;
    if (offsets.every(isLive)) return this;
    return new Inbox(Buffer.concat(offsets.filter(isLive).map((at) => this.#bytesAt(at))));
  }

  with(messages: readonly HandledMessage[], expiresAt: Date): Inbox {
    const known = messages.map(({ id }) => messageHash(id));
    // Of an entry that has expired: each message has one.
    const others = this.#offsets.filter((at) => !known.some((hash) => hash.equals(this.#hashAt(at))));
    const added = messages.map(({ type, hasRecord }, index) => {
      const entry = Buffer.alloc(INBOX_ENTRY_BYTES);
      entry.set(known[index] as Uint8Array);
      entry.writeUIntBE(Math.ceil(expiresAt.getTime() / MS_PER_HOUR), MESSAGE_HASH_BYTES, EXPIRY_BYTES);
      const recordBit = hasRecord ? RECORD_BIT : 0;
      entry.writeUIntBE(recordBit + typeHash(type), MESSAGE_HASH_BYTES + EXPIRY_BYTES, TYPE_BYTES);
      return entry;
    });
    return new Inbox(Buffer.concat([...others.map((at) => this.#bytesAt(at)), ...added]));
  }

  get #offsets(): number[] {
    return Array.from({ length: this.size }, (_, index) => index * INBOX_ENTRY_BYTES);
  }

  #entryAt(offset: number): InboxEntry {
    const type = this.#buffer.readUIntBE(offset + MESSAGE_HASH_BYTES + EXPIRY_BYTES, TYPE_BYTES);
    return {
      expiresAt: new Date(this.#expiryAt(offset)),
      hasRecord: (type & RECORD_BIT) !== 0,
      typeHash: type & TYPE_BITS,
    };
  }

  #expiryAt(offset: number): number {
    return this.#buffer.readUIntBE(offset + MESSAGE_HASH_BYTES, EXPIRY_BYTES) * MS_PER_HOUR;
  }

  #hashAt(offset: number): Buffer {
    return this.#buffer.subarray(offset, offset + MESSAGE_HASH_BYTES);
  }

  #keyAt(offset: number): string {
    return this.#hashAt(offset).toString('base64url');
  }

  #bytesAt(offset: number): Buffer {
    return this.#buffer.subarray(offset, offset + INBOX_ENTRY_BYTES);
  }

  get #buffer(): Buffer {
    const { buffer, byteOffset, byteLength } = this.bytes;
    return Buffer.from(buffer, byteOffset, byteLength);
  }
}

/** Whether a message that was handled under the same id had another type, as far as both tell. */
export function isOfOtherType({ typeHash: known }: InboxEntry, type: string): boolean {
  const own = typeHash(type);
  return known !== NO_TYPE && own !== NO_TYPE && known !== own;
}

function typeHash(type: string): number {
  return type === '' ? NO_TYPE : crc32(type) & TYPE_BITS;
}
