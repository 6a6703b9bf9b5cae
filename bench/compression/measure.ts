import type { OutgoingMessage } from '../../lib/messages/message.ts';
import { pack } from '../../lib/outbox/packing.ts';
import { recordOf } from '../../lib/outbox/record.ts';
import { recordWriteUnits } from '../../lib/outbox/record-size.ts';
import { median } from '../../test/support/median.ts';
import type { Codec } from './codecs.ts';
import { INCOMING_ID } from './sample.ts';

export interface Figure {
  readonly messages: number;
  readonly codec: string;
  readonly bytes: number;
  /** Median. */
  readonly microseconds: number;
  /** Of the record with its chunks, outside of a transaction. */
  readonly writeUnits: number;
}

/** @param rounds how often it is timed */
export function measure(codec: Codec, operations: readonly OutgoingMessage[], rounds = 25): Figure {
  const content = { endpoint: 'orders', messageId: INCOMING_ID, operations };
  const packed = pack(operations, content);
  const compressed = codec.compress(packed);
  const encoding = codec.name === 'none' ? 's' : 'sb';
  const record = recordOf({ ...content, storedAt: new Date(0) }, compressed, encoding);
  return {
    messages: operations.length,
    codec: codec.name,
    bytes: compressed.byteLength,
    microseconds: medianMicroseconds(() => codec.compress(packed), rounds),
    writeUnits: recordWriteUnits(content.endpoint, record),
  };
}

function medianMicroseconds(run: () => unknown, rounds: number): number {
  return median(
    Array.from({ length: rounds }, () => {
      const startedAt = performance.now();
      run();
      return (performance.now() - startedAt) * 1000;
    }),
  );
}
