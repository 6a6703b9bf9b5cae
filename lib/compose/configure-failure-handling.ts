import type { SQSRecord } from 'aws-lambda';
import { configurationError } from '../kernel/errors/errors.ts';
import { queueArnOf } from '../messages/record-fields.ts';
import { SqsErrorQueue } from '../recoverability/error-queue.sqs.ts';
import { FailureLog } from '../recoverability/failure-log.ts';
import type { FailureHandling } from '../recoverability/handle-failure.ts';
import { SqsMessageVisibility } from '../recoverability/message-visibility.sqs.ts';
import type { RetrySettings } from '../recoverability/policy.ts';
import { endpointSetting } from '../settings/endpoint.ts';
import { settingOf } from '../settings/setting.ts';
import { defaultSqsClient } from './clients.ts';
import type { BatchFailureHandling } from './handler/batch-handler.ts';
import { loadedEnvironment } from './load-settings.ts';
import { loggerOf } from './logs/logger-of.ts';
import type { SqsBatchOptions } from './options.ts';
import { errorQueueUrl, maxReceiveCount, ownQueueUrl } from './settings.ts';
import { systemClock } from './system-clock.ts';

/**
 * @param system replaces parts of the system, in tests
 * @throws SagaboxError `Configuration` for a setting that is wrong
 */
export function configureFailureHandling(
  options: SqsBatchOptions,
  retries: RetrySettings,
  system?: Partial<Pick<FailureHandling, 'now' | 'sleep' | 'random'>>,
): BatchFailureHandling {
  const environment = loadedEnvironment();
  const clientOf = (queueUrl: string) => ({ client: options.sqsClient ?? defaultSqsClient(), queueUrl });
  const endpoint = settingOf(endpointSetting, options.endpoint, environment);
  const log = new FailureLog(endpoint, loggerOf(options), options);
  const errorQueue = errorQueueUrl(options, environment);
  const ownQueue = ownQueueUrl(options, environment);
  // Otherwise each forward would be delivered as a new message, for ever.
  if (errorQueue !== undefined && errorQueue === ownQueue) {
    const remedy = 'Use a queue that no function takes messages from';
    throw configurationError('errorQueueUrl', "it is the endpoint's own queue", remedy);
  }
  const visibility = ownQueue === undefined ? undefined : new SqsMessageVisibility(clientOf(ownQueue));
  const isOwn = (record: SQSRecord) =>
    ownQueue !== undefined && queueName(ownQueue, '/') === queueName(queueArnOf(record), ':');
  return {
    ...retries,
    policy: options.recoverability?.policy,
    errorQueue: errorQueue === undefined ? undefined : new SqsErrorQueue(clientOf(errorQueue)),
    maxReceiveCount: maxReceiveCount(options, environment),
    endpoint,
    queueUrlOf: (record) => (isOwn(record) ? ownQueue : undefined),
    setsDelayOf: isOwn,
    log,
    now: systemClock.now,
    sleep: systemClock.sleep,
    random: Math.random,
    ...system,
    delayReturned: async (returned, deadline) => {
      if (visibility === undefined) return;
      const changes = returned.flatMap(({ record, retryInSeconds: seconds }) =>
        seconds !== undefined && isOwn(record) ? [{ record, seconds }] : [],
      );
      try {
        const failures = await deadline.untilEnd(async (signal) => await visibility.change(changes, signal));
        if (failures.length > 0) log.visibilityFailed(failures);
      } catch (error) {
        log.visibilityFailed([error, ...changes.map(({ record }) => ({ sqsMessageId: record.messageId }))]);
      }
    },
  };
}

/** The last part of a queue's URL or ARN. */
function queueName(address: string | undefined, separator: string): string | undefined {
  return address?.split(separator).at(-1);
}
