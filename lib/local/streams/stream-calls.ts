import { configurationError } from '../../kernel/errors/errors.ts';
import { dynamoDBCall } from '../engines/dynamodb-call.ts';
import type { WireRecord } from './stream-event.ts';

export interface Shard {
  readonly ShardId: string;
  readonly ParentShardId?: string;
}

/** Where the reading of a shard begins. */
export type StartingPosition = 'TRIM_HORIZON' | 'LATEST';

/** What one call reads of a shard. */
export interface ReadRecords {
  readonly Records: readonly WireRecord[];
  /** None at the end of a shard that takes no more records. */
  readonly NextShardIterator?: string;
}

interface StreamDescription {
  readonly Shards?: readonly Shard[];
  readonly LastEvaluatedShardId?: string;
}

/** The calls of DynamoDB Streams, whose client is a package of its own. */
export class StreamCalls {
  readonly #endpoint: string;

  constructor(endpoint: string) {
    this.#endpoint = endpoint;
  }

  async shards(streamArn: string, signal: AbortSignal): Promise<Shard[]> {
    const shards: Shard[] = [];
    let ExclusiveStartShardId: string | undefined;
    do {
      const request = { StreamArn: streamArn, ExclusiveStartShardId };
      const answer = await this.#call('DescribeStream', request, signal);
      const { Shards, LastEvaluatedShardId } = answer.StreamDescription as StreamDescription;
      shards.push(...(Shards ?? []));
      ExclusiveStartShardId = LastEvaluatedShardId;
    } while (ExclusiveStartShardId !== undefined);
    return shards;
  }

  /** @param after a sequence number, or where a shard begins */
  async iterator(
    streamArn: string,
    shardId: string,
    after: StartingPosition | { readonly sequenceNumber: string },
    signal: AbortSignal,
  ): Promise<string> {
    const position =
      typeof after === 'string'
        ? { ShardIteratorType: after }
        : { ShardIteratorType: 'AFTER_SEQUENCE_NUMBER', SequenceNumber: after.sequenceNumber };
    const request = { StreamArn: streamArn, ShardId: shardId, ...position };
    const { ShardIterator: iterator } = await this.#call('GetShardIterator', request, signal);
    return iterator as string;
  }

  /** @returns undefined for an iterator that was left alone for 15 minutes */
  async records(iterator: string, signal: AbortSignal): Promise<ReadRecords | undefined> {
    try {
      const answer = await this.#call('GetRecords', { ShardIterator: iterator }, signal);
      return answer as unknown as ReadRecords;
    } catch (error) {
      if (error instanceof Error && error.message.includes('ExpiredIteratorException')) return undefined;
      throw error;
    }
  }

  async #call(operation: string, request: object, signal: AbortSignal): Promise<Record<string, unknown>> {
    const target = `DynamoDBStreams_20120810.${operation}`;
    const response = await dynamoDBCall(this.#endpoint, target, request, signal);
    const answer = await response.text();
    if (response.ok) return JSON.parse(answer);
    throw configurationError(
      'DynamoDB engine',
      `it refuses ${operation} of DynamoDB Streams with status ${response.status}: ${answer}`,
      'Use dynoxide or DynamoDB Local, or disable the event source mapping of the stream',
    );
  }
}
