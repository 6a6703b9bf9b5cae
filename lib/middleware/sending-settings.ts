import { claimCheckDefaults } from '../core/claim-check/claim-check-defaults.ts';
import { checksOf, type ListedContracts } from '../core/contracts/listed-contracts.ts';
import { environmentVariables } from '../core/environment-variables.ts';
import { configurationError } from '../core/failures/errors.ts';
import { describeValue } from '../core/failures/thrown.ts';
import { type MessageFormat, messageFormats, type Sending } from '../core/outgoing/sending.ts';
import { arnIn } from '../core/outgoing/service-location.ts';
import { defaults } from './defaults.ts';
import type { ClaimCheckConfiguration, EndpointOptions, SchedulerConfiguration } from './options.ts';
import {
  destinationsOf,
  durationMs,
  type Environment,
  jsonSetting,
  locationOf,
  positiveNumber,
} from './settings.ts';

/** @throws SagaboxError `Configuration` */
export function sendingOf(options: EndpointOptions & ListedContracts, environment: Environment): Sending {
  const { thresholdBytes, retentionSeconds } = claimCheckOf(options, environment) ?? {};
  return {
    destinations: destinationsOf(options, environment),
    publishTo: publishTo(options, environment),
    schedules: schedulerOf(options, environment) !== undefined,
    claimCheckThresholdBytes: thresholdBytes,
    claimCheckRetentionSeconds: retentionSeconds,
    format: messageFormat(options),
    checks: checksOf('the options', options),
    validateOutgoing: options.validateOutgoing ?? defaults.validateOutgoing,
  };
}

export function schedulerOf(
  options: EndpointOptions,
  environment: Environment,
): Readonly<SchedulerConfiguration> | undefined {
  const remedy = 'Give { groupName, roleArn }, as the construct does with scheduler: true';
  const configured = options.scheduler ?? jsonSetting('scheduler', environment, remedy);
  if (configured === undefined) return undefined;
  const setting = `scheduler (or ${environmentVariables.scheduler})`;
  const { groupName, roleArn, kmsKeyArn, deadLetterArn } = schedulerArns(configured, environment);
  if (!groupName || !roleArn?.startsWith('arn:'))
    throw configurationError(setting, 'it names no group, or its role is no ARN', remedy);
  const { kmsKeyArn: givenKey, deadLetterArn: givenQueue } = configured as Partial<SchedulerConfiguration>;
  if (givenKey !== undefined && !kmsKeyArn?.startsWith('arn:')) {
    const given = describeValue(givenKey);
    throw configurationError(
      `${setting}: kmsKeyArn`,
      `${given} is no ARN`,
      'Give that of a key, or leave it out',
    );
  }
  const known = { groupName, roleArn, ...(kmsKeyArn !== undefined && { kmsKeyArn }) };
  if (deadLetterArn === undefined && givenQueue === undefined) return known;
  if (isStandardQueueArn(deadLetterArn)) return { ...known, deadLetterArn };
  throw configurationError(
    `${setting}: deadLetterArn`,
    `${describeValue(givenQueue)} is not the ARN of a standard queue`,
    'Give that of an SQS queue that is not FIFO, or leave it out',
  );
}

/** Makes ARNs of names: the constructs write only names for the function's own account and region. */
function schedulerArns(configured: unknown, environment: Environment) {
  const { roleName, deadLetterQueueName, ...given } = stringsOf(configured);
  const location = locationOf(environment);
  if (location === undefined) return given;
  return {
    ...given,
    ...(roleName !== undefined && { roleArn: arnIn(location, 'iam', `role/${roleName}`) }),
    ...(deadLetterQueueName !== undefined && { deadLetterArn: arnIn(location, 'sqs', deadLetterQueueName) }),
  } as Partial<Record<string, string>>;
}

/** Source: "Configuring a dead-letter queue for EventBridge Scheduler". */
function isStandardQueueArn(arn: string | undefined): arn is string {
  return arn !== undefined && /^arn:[^:]+:sqs:[^:]+:[^:]+:[\w-]+$/.test(arn);
}

export function claimCheckOf(options: EndpointOptions, environment: Environment) {
  const remedy = 'Give { bucketName, thresholdBytes, retention }, as the construct does with claimCheck';
  const configured = options.claimCheck ?? jsonSetting('claimCheck', environment, remedy);
  if (configured === undefined) return undefined;
  const setting = `claimCheck (or ${environmentVariables.claimCheck})`;
  const { bucketName } = stringsOf(configured);
  if (!bucketName) throw configurationError(setting, 'it names no bucket', remedy);
  const { thresholdBytes = claimCheckDefaults.thresholdBytes, retention } =
    configured as Partial<ClaimCheckConfiguration>;
  return {
    bucketName,
    thresholdBytes: positiveNumber(`${setting}: thresholdBytes`, thresholdBytes),
    /** `undefined` for a bucket of the user's own, whose retention is not known. */
    retentionSeconds:
      retention === undefined ? undefined : durationMs(`${setting}: retention`, retention, { min: 1 }) / 1000,
  };
}

function publishTo(options: EndpointOptions, environment: Environment): Readonly<Record<string, string>> {
  const remedy = "Give a destination's name, or one for each message type, as in { OrderPlaced: 'events' }";
  const configured = options.publishTo ?? jsonSetting('publishTo', environment, remedy) ?? {};
  if (typeof configured === 'string') return { '*': configured };
  const isMap = typeof configured === 'object' && configured !== null && !Array.isArray(configured);
  if (isMap && Object.values(configured).every((name) => typeof name === 'string')) {
    return configured as Readonly<Record<string, string>>;
  }
  const setting = `publishTo (or ${environmentVariables.publishTo})`;
  throw configurationError(setting, 'it is neither a name nor an object of names', remedy);
}

function messageFormat({ messageFormat = defaults.messageFormat }: EndpointOptions): MessageFormat {
  if (messageFormats.includes(messageFormat)) return messageFormat;
  const remedy = `Use one of ${messageFormats.join(', ')}`;
  throw configurationError('messageFormat', `it is ${describeValue(messageFormat)}`, remedy);
}

/** The properties of a value from outside that are strings. */
function stringsOf(value: unknown): Partial<Record<string, string>> {
  if (typeof value !== 'object' || value === null) return {};
  return Object.fromEntries(Object.entries(value).filter(([, property]) => typeof property === 'string'));
}
