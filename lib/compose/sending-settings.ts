import { configurationError } from '../kernel/errors/errors.ts';
import { describeValue } from '../kernel/errors/thrown.ts';
import { isJsonObject } from '../kernel/values/value-kind.ts';
import { checksOf, type ListedContracts } from '../messages/contracts/listed-contracts.ts';
import { claimCheckDefaults } from '../sending/claim-check/claim-check-defaults.ts';
import { type MessageFormat, messageFormats, type Sending } from '../sending/sending.ts';
import {
  CLAIM_CHECK_REMEDY,
  claimCheckSetting,
  PUBLISH_TO_REMEDY,
  publishToSetting,
  SCHEDULER_REMEDY,
  type SchedulerConfiguration,
  schedulerSetting,
} from '../settings/sending.ts';
import { type Environment, optionOrVariable, settingOf } from '../settings/setting.ts';
import { defaults } from './defaults.ts';
import type { EndpointOptions } from './options.ts';
import { destinationsOf, durationMs, positiveNumber } from './settings.ts';

/** @throws SagaboxError `Configuration` */
export function sendingOf(options: EndpointOptions & ListedContracts, environment: Environment): Sending {
  const { thresholdBytes, retentionSeconds } = claimCheckOf(options, environment) ?? {};
  return {
    destinations: destinationsOf(options, environment),
    publishTo: publishToOf(options, environment),
    schedules: schedulerOf(options, environment) !== undefined,
    claimCheckThresholdBytes: thresholdBytes,
    claimCheckRetentionSeconds: retentionSeconds,
    format: messageFormat(options),
    checks: checksOf('the options', options),
    validateOutgoing: options.validateOutgoing ?? defaults.validateOutgoing,
  };
}

export function schedulerOf(
  { scheduler }: EndpointOptions,
  environment: Environment,
): Readonly<SchedulerConfiguration> | undefined {
  const given = settingOf(schedulerSetting, scheduler, environment);
  if (given === undefined) return undefined;
  const setting = optionOrVariable(schedulerSetting);
  const { groupName, roleArn, kmsKeyArn, deadLetterArn }: Partial<SchedulerConfiguration> = given;
  if (!isName(groupName) || !isArn(roleArn))
    throw configurationError(setting, 'it names no group, or its role is no ARN', SCHEDULER_REMEDY);
  if (kmsKeyArn !== undefined && !isArn(kmsKeyArn)) {
    const problem = `${describeValue(kmsKeyArn)} is no ARN`;
    throw configurationError(`${setting}: kmsKeyArn`, problem, 'Give that of a key, or leave it out');
  }
  if (deadLetterArn !== undefined && !isStandardQueueArn(deadLetterArn)) {
    throw configurationError(
      `${setting}: deadLetterArn`,
      `${describeValue(deadLetterArn)} is not the ARN of a standard queue`,
      'Give that of an SQS queue that is not FIFO, or leave it out',
    );
  }
  return {
    groupName,
    roleArn,
    ...(kmsKeyArn !== undefined && { kmsKeyArn }),
    ...(deadLetterArn !== undefined && { deadLetterArn }),
  };
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

function isArn(value: unknown): value is string {
  return typeof value === 'string' && value.startsWith('arn:');
}

/** Source: "Configuring a dead-letter queue for EventBridge Scheduler". */
function isStandardQueueArn(value: unknown): value is string {
  return typeof value === 'string' && /^arn:[^:]+:sqs:[^:]+:[^:]+:[\w-]+$/.test(value);
}

export function claimCheckOf({ claimCheck }: EndpointOptions, environment: Environment) {
  const given = settingOf(claimCheckSetting, claimCheck, environment);
  if (given === undefined) return undefined;
  const setting = optionOrVariable(claimCheckSetting);
  const { bucketName, thresholdBytes = claimCheckDefaults.thresholdBytes, retention } = given;
  if (!isName(bucketName)) throw configurationError(setting, 'it names no bucket', CLAIM_CHECK_REMEDY);
  return {
    bucketName,
    thresholdBytes: positiveNumber(`${setting}: thresholdBytes`, thresholdBytes),
    /** `undefined` for a bucket of the user's own, whose retention is not known. */
    retentionSeconds:
      retention === undefined ? undefined : durationMs(`${setting}: retention`, retention, { min: 1 }) / 1000,
  };
}

function publishToOf(options: EndpointOptions, environment: Environment): Readonly<Record<string, string>> {
  const given: unknown = settingOf(publishToSetting, options.publishTo, environment, {});
  if (typeof given === 'string') return { '*': given };
  if (isJsonObject(given) && Object.values(given).every((name) => typeof name === 'string'))
    return given as Readonly<Record<string, string>>;
  const problem = 'it is neither a name nor an object of names';
  throw configurationError(optionOrVariable(publishToSetting), problem, PUBLISH_TO_REMEDY);
}

function messageFormat({ messageFormat = defaults.messageFormat }: EndpointOptions): MessageFormat {
  if (messageFormats.includes(messageFormat)) return messageFormat;
  const remedy = `Use one of ${messageFormats.join(', ')}`;
  throw configurationError('messageFormat', `it is ${describeValue(messageFormat)}`, remedy);
}
