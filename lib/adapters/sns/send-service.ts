import type { PublishBatchCommandOutput, PublishBatchRequestEntry } from '@aws-sdk/client-sns';
import { settleAll } from '../../core/async/settle.ts';
import type { OutgoingMessage } from '../../core/incoming/message.ts';
import { limits } from '../../core/limits.ts';
import type { TopicDestination } from '../../core/outgoing/destination.ts';
import { requestAttributes, wireBody, wireBytes } from '../../core/wire-format/wire.ts';
import type { SdkClient } from '../shared/sdk-client.ts';
import { type SendService, toEntryFailure } from '../shared/send-service.ts';
import { loadSnsSdk } from './sdk.ts';

/** Source of the errors: "PublishBatch" and "Common errors" in the Amazon SNS API Reference. */
export function snsService(loadClient: () => Promise<SdkClient>): SendService<TopicDestination> {
  const load = () => settleAll([loadClient(), loadSnsSdk()]);
  return {
    maxBytes: limits.topicBatchBytes,
    bytesOf: wireBytes,
    destinationErrors: new Set([
      'NotFoundException',
      'AuthorizationErrorException',
      'InvalidSecurityException',
      'AccessDeniedException',
      'KMSAccessDeniedException',
      'KMSDisabledException',
      'KMSNotFoundException',
      'KMSOptInRequired',
    ]),
    messageErrors: new Set([
      'InvalidParameterException',
      'InvalidParameterValueException',
      'ValidationException',
      'BatchRequestTooLongException',
    ]),
    load,
    call: async (messages, topic, abortSignal) => {
      const [client, { PublishBatchCommand }] = await load();
      const PublishBatchRequestEntries = messages.map((message, index) => toEntry(message, topic, index));
      const command = new PublishBatchCommand({ TopicArn: topic.topicArn, PublishBatchRequestEntries });
      const output = await client.send(command, { abortSignal });
      return ((output as PublishBatchCommandOutput).Failed ?? []).map(toEntryFailure);
    },
  };
}

/** A message as an entry of PublishBatch; `index` tells the entries of one call apart. */
function toEntry(
  message: OutgoingMessage,
  { fifo }: TopicDestination,
  index: number,
): PublishBatchRequestEntry {
  const { messageGroupId } = message;
  return {
    Id: String(index),
    Message: wireBody(message),
    MessageAttributes: requestAttributes(message),
    ...(messageGroupId !== undefined && { MessageGroupId: messageGroupId }),
    ...(fifo && { MessageDeduplicationId: message.id }),
  };
}
