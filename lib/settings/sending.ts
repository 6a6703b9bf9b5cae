import type { Duration } from '../kernel/duration.ts';
import {
  type DestinationAddress,
  type Destinations,
  destinationsOfEndpoint,
  parseDestinations,
} from '../messages/destinations/destination.ts';
import { arnIn } from '../messages/destinations/service-location.ts';
import { endpointSetting, locationOf } from './endpoint.ts';
import { parseJson, type Setting } from './setting.ts';

/**
 * The addresses of the destinations by name, as JSON. For what stands in the account and region of the function:
 * `billing` for a queue, `sns:prices` for a topic, `events:company` for an event bus.
 *
 * @default - none
 */
export const destinationsSetting: Setting<Destinations, Readonly<Record<string, DestinationAddress>>> = {
  option: 'destinations',
  variable: 'SAGABOX_DESTINATIONS',
  decode: (text, environment) => {
    const { variable } = destinationsSetting;
    const addresses = parseJson(variable, text, 'Set it to an object of addresses by name') ?? {};
    const destinations = parseDestinations(addresses, variable, locationOf(environment));
    return destinationsOfEndpoint(destinations, environment[endpointSetting.variable]);
  },
};

export type PublishTo = string | Readonly<Record<string, string>>;

export const PUBLISH_TO_REMEDY =
  "Give a destination's name, or one for each message type, as in { OrderPlaced: 'events' }";

/**
 * The destination of `publish`, or one for each message type, as JSON.
 *
 * @default - none
 */
export const publishToSetting: Setting<PublishTo> = {
  option: 'publishTo',
  variable: 'SAGABOX_PUBLISH_TO',
  // A name alone is JSON, too.
  encode: (destinations) => JSON.stringify(destinations),
  decode: (text) =>
    (parseJson(publishToSetting.variable, text, PUBLISH_TO_REMEDY) ?? undefined) as PublishTo | undefined,
};

/** The schedule group and the role that long delays need. */
export interface SchedulerConfiguration {
  /** An EventBridge Scheduler schedule group of this account and region. */
  groupName: string;
  /** The role that the schedules send with. */
  roleArn: string;
  /**
   * The ARN of a standard queue that takes messages that a schedule could not send, for example to a deleted
   * queue; the role must be allowed to send to it.
   *
   * @default - none: EventBridge Scheduler drops such a message after its retries, within a day
   */
  deadLetterArn?: string;
  /**
   * The ARN of a customer managed key that the schedules are encrypted with.
   *
   * @default - a key of AWS
   */
  kmsKeyArn?: string;
}

/** A scheduler with the names of its role and queue, which stand in the account and region of the function. */
export interface NamedScheduler extends Pick<SchedulerConfiguration, 'groupName' | 'kmsKeyArn'> {
  readonly roleName: string;
  readonly deadLetterQueueName: string;
}

export const SCHEDULER_REMEDY = 'Give { groupName, roleArn }, as the construct does with scheduler: true';

/**
 * The scheduler of long delays, as JSON: the option `scheduler`, with `roleName` and `deadLetterQueueName` in place of
 * the ARNs for what stands in the account and region of the function.
 *
 * @default - none
 */
export const schedulerSetting: Setting<SchedulerConfiguration, SchedulerConfiguration | NamedScheduler> = {
  option: 'scheduler',
  variable: 'SAGABOX_SCHEDULER',
  // Anything but an object names no group, which the check of the option refuses.
  decode: (text, environment) => {
    const written = Object(parseJson(schedulerSetting.variable, text, SCHEDULER_REMEDY));
    const { roleName, deadLetterQueueName: queueName, ...others } = written;
    const location = locationOf(environment);
    return {
      ...others,
      ...(location && roleName && { roleArn: arnIn(location, 'iam', `role/${roleName}`) }),
      ...(location && queueName && { deadLetterArn: arnIn(location, 'sqs', queueName) }),
    };
  },
};

/** The S3 bucket for large bodies. */
export interface ClaimCheckConfiguration {
  bucketName: string;
  /**
   * Bodies with more bytes, as JSON, go to the bucket.
   *
   * @default 65536
   */
  thresholdBytes?: number;
  /**
   * The time after which the bucket removes a body: a message with such a body that is delayed for longer is
   * refused.
   *
   * @default - not known: delays are not checked
   */
  retention?: Duration;
}

export const CLAIM_CHECK_REMEDY =
  'Give { bucketName, thresholdBytes, retention }, as the construct does with claimCheck';

/**
 * The bucket for large bodies, as JSON: the option `claimCheck`.
 *
 * @default - none
 */
export const claimCheckSetting: Setting<ClaimCheckConfiguration> = {
  option: 'claimCheck',
  variable: 'SAGABOX_CLAIM_CHECK',
  // Anything but an object names no bucket, which the check of the option refuses.
  decode: (text) => Object(parseJson(claimCheckSetting.variable, text, CLAIM_CHECK_REMEDY)),
};
