import {
  SendMessageBatchCommand,
  type SendMessageBatchRequestEntry,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import { limits } from '../../kernel/limits.ts';
import type { QueueDestination } from '../../messages/destinations/destination.ts';
import type { DispatchedMessage } from '../../messages/message.ts';
import {
  ATTRIBUTE_DATA_TYPE,
  requestAttributes,
  wireBody,
  wireBytes,
} from '../../messages/wire-format/wire.ts';
import { type SendService, toEntryFailure } from './send-service.ts';

/** Source of the errors: "SendMessageBatch" and "Common errors" in the Amazon SQS API Reference. */
export function sqsService(client: SQSClient): SendService<QueueDestination> {
  return {
    maxBytes: limits.sendBatchBytes,
    bytesOf: wireBytes,
    destinationErrors: new Set([
      'QueueDoesNotExist',
      'AccessDenied',
      'AccessDeniedException',
      'InvalidSecurity',
      'KmsAccessDenied',
      'KmsDisabled',
      'KmsNotFound',
      'KmsOptInRequired',
    ]),
    messageErrors: new Set(['BatchRequestTooLong', 'InvalidMessageContents', 'UnsupportedOperation']),
    call: async (messages, queue, abortSignal) => {
      const Entries = messages.map((message, index) => toEntry(message, queue, index));
      const command = new SendMessageBatchCommand({ QueueUrl: queue.queueUrl, Entries });
      const { Failed = [] } = await client.send(command, { ...(abortSignal && { abortSignal }) });
      return Failed.map(toEntryFailure);
    },
  };
}

/** A message as an entry of SendMessageBatch; `index` tells the entries of one call apart. */
export function toEntry(
  message: DispatchedMessage,
  { fifo }: QueueDestination,
  index: number,
): SendMessageBatchRequestEntry {
  const { delaySeconds, messageGroupId, awsTraceHeader } = message;
  return {
    Id: String(index),
    MessageBody: wireBody(message),
    MessageAttributes: requestAttributes(message),
    ...(awsTraceHeader !== undefined && {
      MessageSystemAttributes: {
        AWSTraceHeader: { DataType: ATTRIBUTE_DATA_TYPE, StringValue: awsTraceHeader },
      },
    }),
    ...(delaySeconds !== undefined && { DelaySeconds: delaySeconds }),
    ...(messageGroupId !== undefined && { MessageGroupId: messageGroupId }),
    ...(fifo && { MessageDeduplicationId: message.id }),
  };
}
