import { SagaboxError } from '../kernel/errors/errors.ts';
import { isJsonObject } from '../kernel/values/value-kind.ts';

/** A record of a stream, and how Lambda is told that it failed. */
export interface StreamRecord {
  readonly record: unknown;
  readonly sequenceNumber: string;
}

/**
 * The records of a batch of Kinesis or DynamoDB Streams, in the order of their shard; none at the end of a tumbling
 * window without any. Source: "Implementing stateful Kinesis Data Streams processing in Lambda".
 *
 * @throws SagaboxError `InvalidEvent` for an event that holds none, or one that could not be returned
 */
export function streamRecordsOf(event: unknown): StreamRecord[] {
  const { Records: records, isFinalInvokeForWindow } = isJsonObject(event) ? event : {};
  // A tumbling window ends also when no record has come since its last batch.
  if (isFinalInvokeForWindow === true && [records ?? []].flat().length === 0) return [];
  if (!Array.isArray(records) || records.length === 0) {
    throw new SagaboxError('InvalidEvent', { detail: 'The event holds no records of a stream' });
  }
  return records.map((record: unknown) => ({ record, sequenceNumber: sequenceNumberOf(record) }));
}

/** Source: "Configuring partial batch response with Kinesis Data Streams and Lambda", and with DynamoDB. */
function sequenceNumberOf(record: unknown): string {
  const { eventID, kinesis, dynamodb } = isJsonObject(record) ? record : {};
  const number = isJsonObject(kinesis)
    ? kinesis.sequenceNumber
    : isJsonObject(dynamodb)
      ? dynamodb.SequenceNumber
      : undefined;
  const isIdentified = typeof eventID === 'string' && eventID !== '';
  if (isIdentified && typeof number === 'string' && number !== '') return number;
  throw new SagaboxError('InvalidEvent', {
    detail: 'A record of the event has no event id or sequence number',
  });
}
