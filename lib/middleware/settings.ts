import { parseJsonSetting } from '../core/checks/json-setting.ts';
import { type Duration, durationProblem, toMilliseconds, toSeconds } from '../core/duration.ts';
import { environmentVariables } from '../core/environment-variables.ts';
import { configurationError, isSagaboxError, type SagaboxError } from '../core/failures/errors.ts';
import { describeValue } from '../core/failures/thrown.ts';
import {
  type Destinations,
  destinationsOfEndpoint,
  parseDestinations,
} from '../core/outgoing/destination.ts';
import { isQueueName, queueUrlIn, type ServiceLocation } from '../core/outgoing/service-location.ts';
import { assertKeyName } from '../core/storage/keys.ts';
import type { TimeMargins } from '../flow/batch/invocation-deadline.ts';
import { MAX_RETRY_SECONDS, type RetrySettings } from '../flow/recoverability/policy.ts';
import { defaults } from './defaults.ts';
import type { EndpointOptions, SqsBatchOptions } from './options.ts';

/** The environment: each function here reads one setting from its option, else from its variable. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The value that the constructs write as JSON into the variable of an option. */
export function jsonSetting(
  name: 'destinations' | 'publishTo' | 'scheduler' | 'claimCheck' | 'relay',
  environment: Environment,
  remedy: string,
): unknown {
  const variable = environmentVariables[name];
  return parseJsonSetting(variable, environment[variable], remedy);
}

export function endpointName(options: EndpointOptions, environment: Environment): string {
  const variable = environmentVariables.endpoint;
  const name = options.endpoint ?? environment[variable];
  if (name === undefined)
    throw missing('endpoint', variable, 'the name that its messages are deduplicated under');
  assertKeyName(`endpoint (or ${variable})`, name);
  return name;
}

export function destinationsOf(
  { destinations }: Pick<EndpointOptions, 'destinations'>,
  environment: Environment,
): Destinations {
  if (destinations !== undefined) return parseDestinations(destinations, "option 'destinations'");
  const stated = jsonSetting('destinations', environment, 'Set it to an object of addresses by name') ?? {};
  const all = parseDestinations(stated, environmentVariables.destinations, locationOf(environment));
  return destinationsOfEndpoint(all, environment[environmentVariables.endpoint]);
}

/** The location of the function; `undefined` if the environment does not tell it. */
export function locationOf(environment: Environment): ServiceLocation | undefined {
  const accountId = environment[environmentVariables.accountId];
  const region = environment.AWS_REGION ?? environment.AWS_DEFAULT_REGION;
  const sqsEndpoint = environment.AWS_ENDPOINT_URL_SQS ?? environment.AWS_ENDPOINT_URL;
  return accountId && region ? { accountId, region, sqsEndpoint } : undefined;
}

/** The endpoint's own queue; undefined if it is not known. */
export function ownQueueUrl(options: SqsBatchOptions, environment: Environment): string | undefined {
  if (options.queueUrl !== undefined) return queueUrl('queueUrl', options.queueUrl);
  const name = options.endpoint ?? environment[environmentVariables.endpoint];
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
  const variable = environmentVariables.errorQueue;
  const url = options.errorQueueUrl ?? namedQueueUrl(environment[variable], environment);
  return url === undefined ? undefined : queueUrl(`errorQueueUrl (or ${variable})`, url);
}

/** The constructs write only the name of a queue in the function's own account and region. */
function namedQueueUrl(queue: string | undefined, environment: Environment): string | undefined {
  const location = locationOf(environment);
  return location && queue !== undefined && isQueueName(queue) ? queueUrlIn(location, queue) : queue;
}

export function maxReceiveCount(options: SqsBatchOptions, environment: Environment): number | undefined {
  const variable = environmentVariables.maxReceiveCount;
  const count = options.maxReceiveCount ?? environment[variable];
  return count === undefined ? undefined : wholeNumber(`maxReceiveCount (or ${variable})`, Number(count), 1);
}

function queueUrl(setting: string, url: string): string {
  if (/^https?:/.test(url) && URL.canParse(url)) return url;
  const remedy = 'Give the URL of an SQS queue, not its name or ARN';
  throw configurationError(setting, `${describeValue(url)} is no URL`, remedy);
}

export function deduplicationSeconds(options: EndpointOptions, environment: Environment): number {
  const variable = environmentVariables.deduplicationPeriodSeconds;
  const { deduplicationPeriod: configured } = options;
  const stated = environment[variable];
  const fallback = toSeconds(defaults.deduplicationPeriod);
  const seconds = configured !== undefined ? toSeconds(configured) : stated ? Number(stated) : fallback;
  if (seconds > 0 && Number.isFinite(seconds)) return seconds;
  throw configurationError(
    `deduplicationPeriod (or ${variable})`,
    (configured !== undefined && durationProblem(configured)) || 'it is not a positive duration',
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

export function missing(option: string, variable: string, what: string): SagaboxError<'Configuration'> {
  const problem = `neither the option '${option}' nor the environment variable ${variable} is set`;
  return configurationError(option, problem, `Give ${what}`);
}
