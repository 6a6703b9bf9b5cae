import { assertKeyName } from '../../core/storage/keys.ts';
import { sendingRules } from '../destinations/sending-rules.ts';
import type { EndpointFacts, Rule } from './endpoint-facts.ts';
import { VISIBILITY_PER_FUNCTION_TIMEOUT } from './endpoint-settings.ts';
import { messageLifetimeSeconds } from './endpoint-timings.ts';

/** Source: "Lambda quotas" (timeout). */
const MAX_FUNCTION_TIMEOUT_SECONDS = 900;
/** Source: "Amazon SQS queue parameters" (maximum receives). */
const maxReceiveCountLimits = { minimum: 1, maximum: 1000 } as const;

const receivingRules: readonly Rule[] = [
  function endpointNameFitsTheKeys({ endpointName }) {
    if (endpointName === undefined) return undefined;
    try {
      assertKeyName('endpointName', endpointName);
      return undefined;
    } catch (error) {
      return (error as Error).message;
    }
  },

  function endpointNameIsUniqueInItsOutbox({ endpointName, namesakes }) {
    if (namesakes.length === 0) return undefined;
    return (
      `endpointName: '${endpointName}' is also the name of ${namesakes.join(', ')}, with the same outbox table, so ` +
      'that each would drop the messages of the other as duplicates. Give each endpoint a name of its own.'
    );
  },

  function functionServesOneEndpoint({ functionSharers }) {
    if (functionSharers.length === 0) return undefined;
    return (
      `function: it also serves ${functionSharers.join(', ')}, but its environment names one endpoint only. ` +
      'Give each endpoint a function of its own.'
    );
  },

  function functionTimeoutIsInRange({ functionTimeoutSeconds }) {
    return functionTimeoutViolation(functionTimeoutSeconds);
  },

  function visibilityOutlastsTheFunction({ visibilityTimeoutSeconds, functionTimeoutSeconds }) {
    if (visibilityTimeoutSeconds === undefined || functionTimeoutSeconds === undefined) return undefined;
    const required = VISIBILITY_PER_FUNCTION_TIMEOUT * functionTimeoutSeconds;
    if (visibilityTimeoutSeconds >= required) return undefined;
    return (
      `visibilityTimeout: ${visibilityTimeoutSeconds} s is less than ${VISIBILITY_PER_FUNCTION_TIMEOUT} times the ` +
      `function's timeout of ${functionTimeoutSeconds} s, so that messages are delivered again while they are ` +
      `handled. Use at least ${required} s, or a shorter function timeout.`
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

  function deadLettersOutlastTheQueue({ retentionSeconds, deadLetterRetentionSeconds }) {
    if (retentionSeconds === undefined || deadLetterRetentionSeconds === undefined) return undefined;
    if (deadLetterRetentionSeconds >= retentionSeconds) return undefined;
    return (
      `deadLetterRetention: ${deadLetterRetentionSeconds} s is less than the queue's retention of ` +
      `${retentionSeconds} s, and a dead letter's age counts from when it was first sent, so that it may expire ` +
      `before anyone sees it. Use at least ${retentionSeconds} s.`
    );
  },

  function maxReceiveCountIsInRange({ maxReceiveCount }) {
    const { minimum, maximum } = maxReceiveCountLimits;
    if (maxReceiveCount === undefined) return undefined;
    if (Number.isInteger(maxReceiveCount) && maxReceiveCount >= minimum && maxReceiveCount <= maximum) {
      return undefined;
    }
    return `maxReceiveCount: ${maxReceiveCount} is out of range. Use a whole number from ${minimum} to ${maximum}.`;
  },

  function tablesHaveTwoTextKeys({ tablesWithUnusableKeys }) {
    if (tablesWithUnusableKeys.length === 0) return undefined;
    return (
      `sagaTable, outboxTable: ${tablesWithUnusableKeys.join(', ')} lacks a partition key and a sort key that are ` +
      'both strings. Use a SagaTable or an OutboxTable, or change the keys.'
    );
  },

  /** Sources: "Amazon SNS dead-letter queues", "Event bus targets in Amazon EventBridge" (one region). */
  function sourcesAreInTheRegion({ sourcesElsewhere }) {
    if (sourcesElsewhere.length === 0) return undefined;
    return (
      `subscribesTo: ${sourcesElsewhere.join(', ')} is in another region than the queues of the endpoint, which take what ` +
      'it could not deliver. Forward its messages to a topic or an event bus of the same region, and subscribe to that.'
    );
  },
];

export function functionTimeoutViolation(seconds: number | undefined): string | undefined {
  if (seconds === undefined || seconds <= MAX_FUNCTION_TIMEOUT_SECONDS) return undefined;
  return (
    `functionTimeout: ${seconds} s is longer than Lambda lets a function run. ` +
    `Use at most ${MAX_FUNCTION_TIMEOUT_SECONDS} s.`
  );
}

/** All violations at once, each with its cause and its remedy. */
export function endpointViolations(facts: EndpointFacts): string[] {
  const rules = [...receivingRules, ...sendingRules];
  return rules.map((rule) => rule(facts)).filter((violation) => violation !== undefined);
}
