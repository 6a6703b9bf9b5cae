import type { SQSRecord } from 'aws-lambda';
import { SqsErrorQueue } from '../adapters/sqs/error-queue.ts';
import { SqsMessageVisibility } from '../adapters/sqs/message-visibility.ts';
import { environmentVariables } from '../core/environment-variables.ts';
import { SagaboxError } from '../core/failures/errors.ts';
import { queueArnOf } from '../core/incoming/record-fields.ts';
import type { ReturnedRecord } from '../flow/batch/batch.ts';
import type { InvocationTime } from '../flow/batch/invocation-time.ts';
import type { Recoverability, RecoverabilitySettings } from '../flow/recoverability/recoverability.ts';
import type { MessageVisibility } from '../ports.ts';
import { defaultSqsClient } from './clients.ts';
import type { SqsBatchOptions } from './options.ts';
import { RecoverabilityLog } from './recoverability-log.ts';
import { errorQueueUrl, maxReceiveCount, ownQueueUrl } from './settings.ts';
import { systemClock } from './system-clock.ts';

/** How the failures of one batch handler are handled. */
export interface BatchRecoverability {
  readonly recoverability: Recoverability;
  /** Lets returned records come back when they should. Never throws. */
  readonly delayReturned: (
    returned: readonly ReturnedRecord<SQSRecord>[],
    time: InvocationTime,
  ) => Promise<void>;
}

/**
 * @param system replaces parts of the system, in tests
 * @throws SagaboxError `Configuration` for a setting that is wrong
 */
export function configureRecoverability(
  options: SqsBatchOptions,
  settings: RecoverabilitySettings,
  system?: Partial<Pick<Recoverability, 'now' | 'sleep' | 'random'>>,
): BatchRecoverability {
  const environment = process.env;
  const client = () => options.sqsClient ?? defaultSqsClient();
  const endpoint = options.endpoint ?? environment[environmentVariables.endpoint];
  const observer = new RecoverabilityLog(endpoint, options.logger ?? console, options);
  const errorQueue = errorQueueUrl(options, environment);
  const ownQueue = ownQueueUrl(options, environment);
  assertApart(errorQueue, ownQueue);
  const visibility =
    ownQueue === undefined ? undefined : new SqsMessageVisibility({ client: client(), queueUrl: ownQueue });
  const isOwn = (record: SQSRecord) =>
    ownQueue !== undefined && queueName(ownQueue, '/') === queueName(queueArnOf(record), ':');
  return {
    recoverability: {
      ...settings,
      policy: options.recoverability?.policy,
      errorQueue:
        errorQueue === undefined ? undefined : new SqsErrorQueue({ client: client(), queueUrl: errorQueue }),
      maxReceiveCount: maxReceiveCount(options, environment),
      endpoint,
      queueUrlOf: (record) => (isOwn(record) ? ownQueue : undefined),
      observer,
      now: systemClock.now,
      sleep: systemClock.sleep,
      random: Math.random,
      ...system,
    },
    delayReturned: async (returned, time) => {
      if (visibility === undefined) return;
      const own = returned.filter(({ record }) => isOwn(record));
      try {
        await time.untilEnd(async (signal) => await changeVisibility(visibility, own, observer, signal));
      } catch (error) {
        observer.visibilityFailed([error]);
      }
    },
  };
}

/** Each forward would be delivered as a new message, for ever. */
function assertApart(errorQueue: string | undefined, ownQueue: string | undefined): void {
  if (errorQueue === undefined || errorQueue !== ownQueue) return;
  throw new SagaboxError('Configuration', {
    setting: 'errorQueueUrl',
    problem: "it is the endpoint's own queue",
    remedy: 'Use a queue that no function takes messages from',
  });
}

async function changeVisibility(
  visibility: MessageVisibility,
  returned: readonly ReturnedRecord<SQSRecord>[],
  log: RecoverabilityLog,
  signal: AbortSignal,
): Promise<void> {
  const changes = returned.flatMap(({ record, retryInSeconds }) =>
    retryInSeconds === undefined ? [] : [{ record, seconds: retryInSeconds }],
  );
  const failures = await visibility.change(changes, signal);
  if (failures.length > 0) log.visibilityFailed(failures);
}

/** The last part of a queue's URL or ARN. */
function queueName(address: string | undefined, separator: string): string | undefined {
  return address?.split(separator).at(-1);
}
