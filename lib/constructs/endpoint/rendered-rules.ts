import { messageLifetimeSeconds } from '../../kernel/message-lifetime.ts';
import { claimRetentionRules, sendingRules } from '../destinations/sending-rules.ts';
import type { EndpointFacts, Rule } from './endpoint-facts.ts';
import { VISIBILITY_PER_FUNCTION_TIMEOUT } from './endpoint-settings.ts';
import { recordRules } from './record-rules.ts';

/** Source: "Lambda quotas" (timeout). */
const MAX_FUNCTION_TIMEOUT_SECONDS = 900;

const receivingRules: readonly Rule[] = [
  function functionServesOneEndpoint({ functionSharers }) {
    if (functionSharers.length === 0) return undefined;
    return (
      `function: it also serves ${functionSharers.join(', ')}, but its environment names one endpoint only. ` +
      'Give each endpoint a function of its own.'
    );
  },

  /** Source: "Handling errors for an SQS event source in Lambda" (partial batch responses). */
  function sourcesReportFailures({ sourcesWithoutFailures }) {
    if (sourcesWithoutFailures.length === 0) return undefined;
    return (
      `function: ${sourcesWithoutFailures.join(', ')} invokes it without ReportBatchItemFailures, so that Lambda deletes ` +
      'messages that failed. Set reportBatchItemFailures: true of the event source, or give it a function of its own.'
    );
  },

  function queueHasOneConsumer({ otherConsumers }) {
    if (otherConsumers.length === 0) return undefined;
    return (
      `queue: ${otherConsumers.join(', ')} takes messages from it too, so that the endpoint never sees some of them. ` +
      'Remove it, or let it take its messages from a queue of its own.'
    );
  },

  /** Source: "Amazon SQS Key management" (Configure KMS permissions for AWS services). */
  function keysLetSourcesSend({ queuesClosedToSources }) {
    if (queuesClosedToSources.length === 0) return undefined;
    return (
      `subscribesTo: ${queuesClosedToSources.join(', ')} has QueueEncryption.KMS_MANAGED, a key of AWS whose policy lets no ` +
      'topic and no event bus send to it. Use QueueEncryption.KMS with a key of yours, or QueueEncryption.SQS_MANAGED.'
    );
  },

  function queueServesOneEndpoint({ queueSharers }) {
    if (queueSharers.length === 0) return undefined;
    return (
      `queue: ${queueSharers.join(', ')} receives from it too, so that each gets messages of the other, and refuses their ` +
      'types. Give each endpoint a queue of its own, or let one endpoint handle all of these types.'
    );
  },

  function errorQueueIsNoQueueOfAnEndpoint({ errorQueueReceivers }) {
    if (errorQueueReceivers.length === 0) return undefined;
    return (
      `errorQueue: ${errorQueueReceivers.join(', ')} receives from it, and would handle messages of this endpoint that ` +
      'could not be handled. Give a queue that no endpoint receives from, or leave it out.'
    );
  },

  /** Source: "Configuring maximum concurrency for Amazon SQS event sources" in the AWS Lambda guide. */
  function reservedConcurrencyCoversMaxConcurrency({ maxConcurrency, reservedConcurrency }) {
    if (maxConcurrency === undefined || reservedConcurrency === undefined) return undefined;
    if (reservedConcurrency >= maxConcurrency) return undefined;
    return (
      `maxConcurrency: ${maxConcurrency} is more than the reservedConcurrentExecutions of the function, ${reservedConcurrency}, ` +
      'so that Lambda throttles batches: their messages count as received, and go to the dead letter queue unhandled. ' +
      `Reserve at least ${maxConcurrency}, or lower maxConcurrency.`
    );
  },

  function functionEndsInTime({ functionTimeoutSeconds }) {
    return functionTimeoutViolation(functionTimeoutSeconds);
  },

  function visibilityOutlastsTheFunction({
    visibilityTimeoutSeconds,
    functionTimeoutSeconds,
    maxBatchingWindowSeconds = 0,
  }) {
    if (visibilityTimeoutSeconds === undefined || functionTimeoutSeconds === undefined) return undefined;
    const required = VISIBILITY_PER_FUNCTION_TIMEOUT * functionTimeoutSeconds + maxBatchingWindowSeconds;
    if (visibilityTimeoutSeconds >= required) return undefined;
    return (
      `visibilityTimeout: ${visibilityTimeoutSeconds} s is less than ${VISIBILITY_PER_FUNCTION_TIMEOUT} times the ` +
      `function's timeout of ${functionTimeoutSeconds} s${andWindow(maxBatchingWindowSeconds)}, so that messages are delivered again while they are ` +
      `handled. Use at least ${required} s, or a shorter function timeout.`
    );
  },

  function messagesDoNotComeForEver({ hasDeadLetterQueue }) {
    if (hasDeadLetterQueue) return undefined;
    return (
      'queue: its template has no redrive policy, so that a message that cannot be handled comes until it expires. ' +
      'Leave the RedrivePolicy of the endpoint as it is, or give the queue a dead letter queue.'
    );
  },

  function functionKnowsWhenAMessageComesLast({ maxReceiveCount, maxReceiveCountFromEnvironment: known }) {
    if (maxReceiveCount === undefined || known === undefined || maxReceiveCount === known) return undefined;
    const effect =
      known < maxReceiveCount
        ? `gives a message up after ${known}`
        : 'never knows which is the last, so that its failures go to the dead letter queue without what went wrong';
    return (
      `maxReceiveCount: the redrive policy of the queue lets a message be received ${maxReceiveCount} times, and the ` +
      `function was told ${known}: it ${effect}. Set it by the maxReceiveCount of the endpoint, or of the queue that you give.`
    );
  },

  function handledMessagesAreRememberedLongEnough({
    retentionSeconds,
    deadLetterRetentionSeconds,
    deduplicationSeconds,
  }) {
    if (retentionSeconds === undefined || deadLetterRetentionSeconds === undefined) return undefined;
    const required = messageLifetimeSeconds(retentionSeconds, deadLetterRetentionSeconds);
    if (deduplicationSeconds === undefined || deduplicationSeconds >= required) return undefined;
    return (
      `deduplicationPeriod: handled messages are remembered for ${deduplicationSeconds} s, but one may wait ` +
      `${retentionSeconds} s in the queue, ${deadLetterRetentionSeconds} s in the error queue or the dead letter queue, and ` +
      `${retentionSeconds} s in the queue again once it is moved back, and would be handled again. ` +
      `Use at least ${required} s, or a shorter retention or deadLetterRetention.`
    );
  },

  function deadLettersOutlastTheQueue({ retentionSeconds, shortestDeadLetterRetentionSeconds: shortest }) {
    if (retentionSeconds === undefined || shortest === undefined || shortest >= retentionSeconds)
      return undefined;
    return (
      `deadLetterRetention: ${shortest} s is less than the queue's retention of ` +
      `${retentionSeconds} s, and a dead letter's age counts from when it was first sent, so that it may expire ` +
      'before anyone sees it. For a dead letter queue or an error queue that you give, its own retentionPeriod ' +
      `counts. Use at least ${retentionSeconds} s.`
    );
  },

  function sourcesAreInTheRegion({ sourcesElsewhere }) {
    if (sourcesElsewhere.length === 0) return undefined;
    return (
      `subscribesTo: ${sourcesElsewhere.join(', ')} is in another region than the queues of the endpoint, which take what ` +
      'it could not deliver. Forward its messages to a topic or an event bus of the same region, and subscribe to that.'
    );
  },

  /** Source: "Sending and receiving events between AWS accounts in Amazon EventBridge". */
  function busesAreInTheAccount({ busesOfOtherAccounts }) {
    if (busesOfOtherAccounts.length === 0) return undefined;
    return (
      `subscribesTo: ${busesOfOtherAccounts.join(', ')} is of another account than the endpoint, and a rule stands in the ` +
      'account of its bus. Let a rule of that account send the events to a bus of this account, and subscribe to that.'
    );
  },
];

function andWindow(seconds: number): string {
  return seconds === 0 ? '' : ` and the maxBatchingWindow of ${seconds} s`;
}

function functionTimeoutViolation(seconds: number | undefined): string | undefined {
  if (seconds === undefined || seconds <= MAX_FUNCTION_TIMEOUT_SECONDS) return undefined;
  return (
    `functionTimeout: ${seconds} s is longer than Lambda lets a function run. ` +
    `Use at most ${MAX_FUNCTION_TIMEOUT_SECONDS} s.`
  );
}

/** Of what is known at synth only, or follows from several settings. */
export const endpointRules: readonly Rule[] = [
  ...recordRules,
  ...receivingRules,
  ...claimRetentionRules,
  ...sendingRules,
];

/** All violations at once, each with its cause and its remedy. */
export function endpointViolations(facts: EndpointFacts): string[] {
  return endpointRules.flatMap((rule) => rule(facts) ?? []);
}
