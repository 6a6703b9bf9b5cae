import { SALT_BYTES, saltedHash } from './salted-hash.ts';

/** The size of the hash of an id: two of 256 ids share one by chance in one of 10^17 sagas. */
const ID_BYTES = 9;
const EXPIRY_BYTES = 3;
const TYPE_BYTES = 3;

/**
 * The size of the entry of one message:
 *
 * ```text
 *  0         9         12           15
 *  ├ id ─────┼ expiry ─┼ R ─ type ──┤
 * ```
 *
 * Id and type are hashes. The expiry is in hours since 1970. `R` is one bit: whether the message has an
 * outbox record, too.
 */
export const INBOX_ENTRY_BYTES = ID_BYTES + EXPIRY_BYTES + TYPE_BYTES;

/** Returns the size of an inbox with this many messages. */
export const inboxBytes = (messages: number): number => SALT_BYTES + messages * INBOX_ENTRY_BYTES;

const MS_PER_HOUR = 3_600_000;
const RECORD_BIT = 0x800000;
const TYPE_BITS = 0x7fffff;
/** The hash of a missing type: a default type that is configured later does not count as another one. */
const NO_TYPE = 0;

/** A message that was handled. */
export interface InboxEntry {
  /** The time at which the message is forgotten. */
  readonly expiresAt: Date;
  /** Whether the message has an outbox record, which tells whether its operations are sent. */
  readonly hasRecord: boolean;
  readonly typeHash: number;
}

export interface HandledMessage {
  readonly id: string;
  readonly type: string;
  readonly hasRecord: boolean;
}

/**
 * The ids of the messages that a saga has handled, as its item keeps them: the salt of their hashes, and entries of one
 * width, in the order in which they were handled.
 */
export class Inbox {
  readonly bytes: Uint8Array;

  /**
   * @param bytes a salt alone is an inbox without messages
   * @throws RangeError for bytes that are not a salt and whole entries
   */
  constructor(bytes: Uint8Array) {
    const { byteLength } = bytes;
    if (byteLength < SALT_BYTES || (byteLength - SALT_BYTES) % INBOX_ENTRY_BYTES !== 0) {
      const expected = `${SALT_BYTES} and ${INBOX_ENTRY_BYTES} for each message`;
      throw new RangeError(`its inbox has ${byteLength} bytes, which are not ${expected}`);
    }
    this.bytes = bytes;
  }

  get size(): number {
    return (this.bytes.byteLength - SALT_BYTES) / INBOX_ENTRY_BYTES;
  }

  /** Returns the key of the pending entry of a message. */
  keyOf(messageId: string): string {
    return this.#hashOf(messageId).toString('base64url');
  }

  /** Whether a message that was handled under the same id had another type, as far as both tell. */
  isOfOtherType({ typeHash: known }: InboxEntry, type: string): boolean {
    const own = this.#typeHashOf(type);
    return known !== NO_TYPE && own !== NO_TYPE && known !== own;
  }

  find(messageId: string): InboxEntry | undefined {
    const wanted = this.#hashOf(messageId);
    const offset = this.#offsets.find((at) => wanted.equals(this.#hashAt(at)));
    return offset === undefined ? undefined : this.#entryAt(offset);
  }

  /**
   * Returns the inbox without expired entries.
   *
   * @param isPending whether the entry with a key is still pending: it stays then
   */
  live(now: Date, isPending: (key: string) => boolean): Inbox {
    const isLive = (at: number) => this.#expiryAt(at) > now.getTime() || isPending(this.#keyAt(at));
    const offsets = this.#offsets;
    if (offsets.every(isLive)) return this;
    return new Inbox(Buffer.concat([this.#salt, ...offsets.filter(isLive).map((at) => this.#bytesAt(at))]));
  }

  with(messages: readonly HandledMessage[], expiresAt: Date): Inbox {
    const known = messages.map(({ id }) => this.#hashOf(id));
    // An expired entry of the same message is replaced: each message has one.
    const others = this.#offsets.filter((at) => !known.some((hash) => hash.equals(this.#hashAt(at))));
    const added = messages.map(({ type, hasRecord }, index) => {
      const entry = Buffer.alloc(INBOX_ENTRY_BYTES);
      entry.set(known[index] as Uint8Array);
      entry.writeUIntBE(Math.ceil(expiresAt.getTime() / MS_PER_HOUR), ID_BYTES, EXPIRY_BYTES);
      const recordBit = hasRecord ? RECORD_BIT : 0;
      entry.writeUIntBE(recordBit + this.#typeHashOf(type), ID_BYTES + EXPIRY_BYTES, TYPE_BYTES);
      return entry;
    });
    return new Inbox(Buffer.concat([this.#salt, ...others.map((at) => this.#bytesAt(at)), ...added]));
  }

  get #offsets(): number[] {
    return Array.from({ length: this.size }, (_, index) => inboxBytes(index));
  }

  get #salt(): Buffer {
    return this.#buffer.subarray(0, SALT_BYTES);
  }

  #hashOf(messageId: string): Buffer {
    return saltedHash(this.#salt, messageId, ID_BYTES);
  }

  #typeHashOf(type: string): number {
    return type === ''
      ? NO_TYPE
      : saltedHash(this.#salt, type, TYPE_BYTES).readUIntBE(0, TYPE_BYTES) & TYPE_BITS;
  }

  #entryAt(offset: number): InboxEntry {
    const type = this.#buffer.readUIntBE(offset + ID_BYTES + EXPIRY_BYTES, TYPE_BYTES);
    return {
      expiresAt: new Date(this.#expiryAt(offset)),
      hasRecord: (type & RECORD_BIT) !== 0,
      typeHash: type & TYPE_BITS,
    };
  }

  #expiryAt(offset: number): number {
    return this.#buffer.readUIntBE(offset + ID_BYTES, EXPIRY_BYTES) * MS_PER_HOUR;
  }

  #hashAt(offset: number): Buffer {
    return this.#buffer.subarray(offset, offset + ID_BYTES);
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
