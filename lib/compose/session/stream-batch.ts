import type { DynamoDBRecord, KinesisStreamRecord, Context as LambdaContext } from 'aws-lambda';
import { configurationError, isSagaboxError } from '../../kernel/errors/errors.ts';
import type { SenderContracts } from '../../messages/contracts/contract.ts';
import { senderOf, withParticipants } from '../../messages/contracts/participant.ts';
import { failureFields } from '../../observe/logs/log-fields.ts';
import type { OutboxSessionContext } from '../../session/session-context.ts';
import { streamRecordsOf } from '../../session/stream-records.ts';
import { untilLinesWritten, usualDeadline } from '../invocation.ts';
import { loggerOf } from '../logs/logger-of.ts';
import { remainingTime } from '../remaining-time.ts';
import { awsSessionOpener } from './aws-session-opener.ts';
import type { OpenSession } from './open-session.ts';
import { runSession } from './run-session.ts';
import type { OutboxSessionOptions } from './session-options.ts';

/** The record from which on the shard is delivered again; none if all were handled. */
export interface StreamBatchResponse {
  batchItemFailures: { itemIdentifier: string }[];
}

export type StreamBatchHandler = (event: unknown, context?: LambdaContext) => Promise<StreamBatchResponse>;

/**
 * Makes a Lambda handler for batches of Kinesis or DynamoDB Streams out of a handler of one record. Each
 * record has an outbox session of its own, with its event id as the key: its writes and its messages commit
 * as one, and a record that is delivered again is not handled again. The records of a batch run one after
 * another, in the order of their shard, up to the first one that fails: that one and those behind it are
 * delivered again.
 *
 * The event source mapping needs `ReportBatchItemFailures` (`reportBatchItemFailures: true` of the CDK's
 * event sources): without it, Lambda takes the records that failed for handled.
 *
 * @throws SagaboxError `Configuration` for options that cannot be used. The handler it returns throws
 *   `InvalidEvent` for an event without records of a stream, and `Configuration` for a setting that is
 *   missing in the environment
 * @example
 * ```ts
 * import type { DynamoDBRecord } from 'aws-lambda';
 * import { streamBatch } from 'sagabox';
 *
 * export const handler = streamBatch<DynamoDBRecord>(async ({ dynamodb }, { publish }) => {
 *   publish('OrderChanged', { orderId: dynamodb?.Keys?.PK?.S ?? '' });
 * });
 * ```
 */
export function streamBatch<
  Record extends KinesisStreamRecord | DynamoDBRecord,
  Listed extends SenderContracts = SenderContracts,
>(
  handleRecord: (record: Record, context: OutboxSessionContext<Listed>) => unknown,
  options: OutboxSessionOptions = {},
): StreamBatchHandler {
  if (typeof handleRecord !== 'function') {
    const problem = `the handler is a value of type ${typeof handleRecord}`;
    throw configurationError('streamBatch', problem, 'Pass a function of one record');
  }
  const open = awsSessionOpener('streamBatch', options);
  const logger = loggerOf(options);

  const handleRecords: StreamBatchHandler = async (event, context) => {
    const records = streamRecordsOf(event);
    const deadline = usualDeadline(remainingTime(context));
    for (const [index, { record, sequenceNumber }] of records.entries()) {
      const failedFromHere = { batchItemFailures: [{ itemIdentifier: sequenceNumber }] };
      // The first record always starts: a batch of which none is handled would come back as it was.
      if (index > 0 && !deadline.mayStart()) return failedFromHere;
      const ofRecord = { ...context } as LambdaContext;
      let recordLogger = logger;
      const openRecord: OpenSession = async (...of) => {
        const opened = await open(...of);
        if ('session' in opened) recordLogger = opened.session.logger;
        return opened;
      };
      try {
        await runSession(openRecord, record, ofRecord, (scope) =>
          handleRecord(record as Record, { ...ofRecord, ...scope } as never),
        );
      } catch (error) {
        if (isSagaboxError(error) && error.code === 'Configuration') throw error;
        recordLogger.error('A record of a stream failed: it and those behind it are delivered again', {
          sequenceNumber,
          ...failureFields(error),
        });
        await untilLinesWritten(deadline);
        return failedFromHere;
      }
    }
    return { batchItemFailures: [] };
  };

  const handler: StreamBatchHandler = async (event, context) => {
    try {
      return await handleRecords(event, context);
    } finally {
      await options.tracing?.flush(remainingTime(context)() / 2);
    }
  };
  return withParticipants(handler, [senderOf(options)]);
}
