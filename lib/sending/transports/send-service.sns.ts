import type { PublishBatchCommandOutput, PublishBatchRequestEntry } from '@aws-sdk/client-sns';
import { settleAll } from '../../kernel/async/settle.ts';
import type { SdkClient } from '../../kernel/calls/sdk-client.ts';
import { limits } from '../../kernel/limits.ts';
import type { TopicDestination } from '../../messages/destinations/destination.ts';
import type { OutgoingMessage } from '../../messages/message.ts';
import { requestAttributes, wireBody, wireBytes } from '../../messages/wire-format/wire.ts';
import { loadSnsSdk } from './sdk.sns.ts';
import { type SendService, toEntryFailure } from './send-service.ts';

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
