import type { TimeMargins } from '../attempt/invocation-deadline.ts';
import { assertKeyName } from '../dynamodb/keys.ts';
import { type Duration, durationProblem, toMilliseconds, toSeconds } from '../kernel/duration.ts';
import { configurationError, isSagaboxError, type SagaboxError } from '../kernel/errors/errors.ts';
import { describeValue } from '../kernel/errors/thrown.ts';
import { type Destinations, parseDestinations } from '../messages/destinations/destination.ts';
import { MAX_RETRY_SECONDS, type RetrySettings } from '../recoverability/policy.ts';
import { type LockingSettings, lockingSettings } from '../saga/definition/locking.ts';
import {
  deduplicationPeriodSetting,
  endpointSetting,
  errorQueueSetting,
  lockingSetting,
  maxReceiveCountSetting,
} from '../settings/endpoint.ts';
import { destinationsSetting } from '../settings/sending.ts';
import { type Environment, optionOrVariable, type Setting, settingOf } from '../settings/setting.ts';
import { defaults } from './defaults.ts';
import type { EndpointOptions, SagaOutboxOptions, SqsBatchOptions } from './options.ts';

export function endpointName({ endpoint }: EndpointOptions, environment: Environment): string {
  const name = settingOf(endpointSetting, endpoint, environment);
  if (name === undefined) throw missing(endpointSetting, 'the name that its messages are deduplicated under');
  assertKeyName(optionOrVariable(endpointSetting), name);
  return name;
}

export function destinationsOf(
  { destinations }: Pick<EndpointOptions, 'destinations'>,
  environment: Environment,
): Destinations {
  const given =
    destinations === undefined ? undefined : parseDestinations(destinations, "option 'destinations'");
  return settingOf(destinationsSetting, given, environment, new Map());
}

/** The endpoint's own queue; undefined if it is not known. */
export function ownQueueUrl(options: SqsBatchOptions, environment: Environment): string | undefined {
  if (options.queueUrl !== undefined) return queueUrl('queueUrl', options.queueUrl);
  const name = settingOf(endpointSetting, options.endpoint, environment);
  if (name === undefined) return undefined;
  try {
    const own = destinationsOf(options, environment).get(name);
    return own?.kind === 'queue' ? own.queueUrl : undefined;
  } catch (error) {
    if (!isSagaboxError(error)) throw error;
    // Each message fails by it, and reports it in a better place.
    return undefined;
  }
}

export function errorQueueUrl(options: SqsBatchOptions, environment: Environment): string | undefined {
  const url = settingOf(errorQueueSetting, options.errorQueueUrl, environment);
  return url === undefined ? undefined : queueUrl(optionOrVariable(errorQueueSetting), url);
}

export function maxReceiveCount(options: SqsBatchOptions, environment: Environment): number | undefined {
  const count = settingOf(maxReceiveCountSetting, options.maxReceiveCount, environment);
  return count === undefined
    ? undefined
    : wholeNumber(optionOrVariable(maxReceiveCountSetting), Number(count), 1);
}

/** The locking of the option, else of the deployed endpoint. @throws SagaboxError `Configuration` */
export function lockingOf(
  { locking }: Pick<SagaOutboxOptions, 'locking'>,
  environment: Environment,
): LockingSettings {
  return lockingSettings(settingOf(lockingSetting, locking, environment));
}

function queueUrl(setting: string, url: string): string {
  if (/^https?:/.test(url) && URL.canParse(url)) return url;
  const remedy = 'Give the URL of an SQS queue, not its name or ARN';
  throw configurationError(setting, `${describeValue(url)} is no URL`, remedy);
}

export function deduplicationSeconds(
  { deduplicationPeriod: given }: EndpointOptions,
  environment: Environment,
): number {
  const seconds = settingOf(
    deduplicationPeriodSetting,
    given && toSeconds(given),
    environment,
    toSeconds(defaults.deduplicationPeriod),
  );
  if (seconds > 0 && Number.isFinite(seconds)) return seconds;
  throw configurationError(
    optionOrVariable(deduplicationPeriodSetting),
    (given !== undefined && durationProblem(given)) || 'it is not a positive duration',
    'Use one longer than a message can be delivered again, such as { days: 7 }',
  );
}

/** The range of a message's visibility timeout. */
const queueDelay = { max: MAX_RETRY_SECONDS * 1000 };

/** @throws SagaboxError `Configuration` for a setting that is out of range */
export function retrySettings({ recoverability }: SqsBatchOptions): RetrySettings {
  const immediate = { ...defaults.immediateRetries, ...recoverability?.immediateRetries };
  const delayed = { ...defaults.delayedRetries, ...recoverability?.delayedRetries };
  const inImmediate = 'recoverability.immediateRetries';
  const inDelayed = 'recoverability.delayedRetries';
  return {
    immediateRetries: {
      maxRetries: wholeNumber(`${inImmediate}.maxRetries`, immediate.maxRetries, 0),
      baseDelayMs: durationMs(`${inImmediate}.baseDelay`, immediate.baseDelay, { min: 1 }),
      maxDelayMs: durationMs(`${inImmediate}.maxDelay`, immediate.maxDelay, { min: 1 }),
    },
    delayedRetries: {
      baseDelaySeconds: durationMs(`${inDelayed}.baseDelay`, delayed.baseDelay, queueDelay) / 1000,
      maxDelaySeconds: durationMs(`${inDelayed}.maxDelay`, delayed.maxDelay, queueDelay) / 1000,
    },
  };
}

/** @throws SagaboxError `Configuration` if they are negative, or in the wrong order */
export function timeMargins(options: SqsBatchOptions): TimeMargins {
  const margins = { ...defaults.timeMargins, ...options.timeMargins };
  const startMs = durationMs('timeMargins.start', margins.start);
  const abortMs = durationMs('timeMargins.abort', margins.abort);
  const giveUpMs = durationMs('timeMargins.giveUp', margins.giveUp);
  if (giveUpMs <= abortMs && abortMs <= startMs) return { startMs, abortMs, giveUpMs };
  throw configurationError(
    'timeMargins',
    `start (${startMs} ms), abort (${abortMs} ms) and giveUp (${giveUpMs} ms) are not in this order`,
    'Let start be at least abort, and abort at least giveUp',
  );
}

export function wholeNumber(setting: string, value: number, minimum: number): number {
  if (Number.isSafeInteger(value) && value >= minimum) return value;
  const problem = `${describeValue(value)} is not a whole number of at least ${minimum}`;
  throw configurationError(setting, problem, `Use a whole number from ${minimum}`);
}

export function durationMs(
  setting: string,
  duration: Duration,
  { min = 0, max = Number.MAX_SAFE_INTEGER }: { readonly min?: number; readonly max?: number } = {},
): number {
  const milliseconds = toMilliseconds(duration);
  if (milliseconds >= min && milliseconds <= max) return milliseconds;
  const problem = durationProblem(duration) ?? `${milliseconds} ms are out of range`;
  throw configurationError(setting, problem, `Use a duration of ${min} to ${max} ms`);
}

export function positiveNumber(setting: string, value: number): number {
  if (Number.isFinite(value) && value > 0) return value;
  throw configurationError(
    setting,
    `${describeValue(value)} is not a positive number`,
    'Use a finite number above 0',
  );
}

export function missing(
  { option = '', variable }: Pick<Setting<never>, 'option' | 'variable'>,
  what: string,
): SagaboxError<'Configuration'> {
  const problem = `neither the option '${option}' nor the environment variable ${variable} is set`;
  return configurationError(option, problem, `Give ${what}`);
}
