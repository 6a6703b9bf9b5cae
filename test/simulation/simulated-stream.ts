import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { keyAttributes } from '../../lib/dynamodb/item-attributes.ts';
import type { ItemKey } from '../../lib/dynamodb/keys.ts';
import { tableDefaults } from '../../lib/dynamodb/table-defaults.ts';
import type { StreamRecord } from '../../lib/relay/stream-changes.dynamodb.ts';

/** What is read of an item, as far as the watcher looks at it; undefined for one that is not there. */
export type Image = Readonly<Record<string, AttributeValue>> | undefined;

export interface ItemChange {
  readonly key: ItemKey;
  readonly before: Image;
  readonly after: Image;
}

interface StreamChange extends ItemChange {
  readonly sequence: number;
}

export type StreamView = 'NEW_IMAGE' | 'KEYS_ONLY';

/** A part of a shard, which is given to one invocation of the watcher at a time. */
export interface StreamBatch {
  readonly length: number;
  recordsOf(view: StreamView): readonly StreamRecord[];
  /** Told by whoever takes the batch: until then nobody else is given a batch of the shard. */
  isUnderWay: () => boolean;
  /** The invocation has succeeded. Without it the same changes come again, at first. */
  done(): void;
}

class Shard {
  readonly changes: StreamChange[] = [];
  position = 0;
  batch: StreamBatch | undefined;
}

export const SHARDS = 2;

/** The stream of a table, and how far its event source mapping has got in each shard. */
export class SimulatedStream {
  readonly #shards = Array.from({ length: SHARDS }, () => new Shard());
  #sequence = 0;

  add(change: ItemChange): void {
    this.#sequence += 1;
    this.#shardOf(change.key).changes.push({ ...change, sequence: this.#sequence });
  }

  /** All changes of an item are in one shard. */
  #shardOf({ partition }: ItemKey): Shard {
    return this.#shard(partition.charCodeAt(partition.length - 1));
  }

  #shard(number: number): Shard {
    return this.#shards[number % SHARDS] as Shard;
  }

  /**
   * The next changes of a shard; nothing while others of it are under way.
   *
   * @param isThere whether reads are given the change of an item: else the stream does not have it yet
   */
  take(number: number, size: number, isThere: (key: ItemKey) => boolean): StreamBatch | undefined {
    const shard = this.#shard(number);
    const next = shard.changes.slice(shard.position, shard.position + size);
    const hidden = next.findIndex(({ key }) => !isThere(key));
    const changes = hidden < 0 ? next : next.slice(0, hidden);
    if (changes.length === 0 || shard.batch?.isUnderWay()) return undefined;
    const end = shard.position + changes.length;
    const batch: StreamBatch = {
      length: changes.length,
      recordsOf: (view) => changes.map((change) => recordOf(change, view)),
      isUnderWay: () => true,
      done: () => {
        // An answer that comes too late changes nothing.
        if (shard.batch === batch) shard.position = end;
      },
    };
    shard.batch = batch;
    return batch;
  }

  /** The event source mapping is made anew, and begins with the oldest change. */
  beginAnew(): void {
    for (const shard of this.#shards) {
      shard.batch = undefined;
      shard.position = 0;
    }
  }
}

function recordOf({ key, before, after, sequence }: StreamChange, view: StreamView): StreamRecord {
  const keys = keyAttributes(tableDefaults, key);
  return {
    eventName: after === undefined ? 'REMOVE' : before === undefined ? 'INSERT' : 'MODIFY',
    dynamodb: {
      Keys: keys,
      ...(after && view === 'NEW_IMAGE' && { NewImage: { ...keys, ...after } }),
      SequenceNumber: String(sequence).padStart(21, '0'),
    },
  };
}
