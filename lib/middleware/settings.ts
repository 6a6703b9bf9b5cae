import type { Table } from '../adapters/dynamodb/table.ts';
import { parseJsonSetting } from '../core/checks/json-setting.ts';
import { type Duration, durationProblem, toMilliseconds, toSeconds } from '../core/duration.ts';
import { environmentVariables } from '../core/environment-variables.ts';
import { SagaboxError } from '../core/failures/errors.ts';
import { describeValue } from '../core/failures/thrown.ts';
import { type Destinations, parseDestinations } from '../core/outgoing/destination.ts';
import { assertKeyName } from '../core/storage/keys.ts';
import { storedAttributes } from '../core/storage/stored-attributes.ts';
import { tableDefaults } from '../core/storage/table-defaults.ts';
import { defaults } from './defaults.ts';
import type { EndpointOptions, SqsBatchOptions } from './options.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

export function endpointName(options: EndpointOptions, environment: Environment): string {
  const variable = environmentVariables.endpoint;
  const name = options.endpoint ?? environment[variable];
  if (name === undefined)
    throw missing('endpoint', variable, 'the name that its messages are deduplicated under');
  assertKeyName(`endpoint (or ${variable})`, name);
  return name;
}

export function tableOf(
  option: 'sagaTable' | 'outboxTable',
  options: EndpointOptions,
  environment: Environment,
): Table {
  const variable = environmentVariables[option];
  const configured = options[option];
  const tableName = configured?.tableName ?? environment[variable];
  if (!tableName) throw missing(option, variable, 'a table made by the constructs');
  const table = { ...tableDefaults, ...configured, tableName };
  assertAttributeNames(option, table);
  return table;
}

export function assertAttributeNames(option: string, { tableName: _tableName, ...attributes }: Table): void {
  const names = Object.values(attributes);
  for (const [setting, name] of Object.entries(attributes)) {
    const isStored = storedAttributes.has(name);
    if (!isStored && names.indexOf(name) === names.lastIndexOf(name)) continue;
    throw new SagaboxError('Configuration', {
      setting: `${option}: ${setting}`,
      problem: isStored
        ? `sagabox stores something else in the attribute '${name}'`
        : `'${name}' names two attributes`,
      remedy: 'Use a table whose key and time to live attributes have names of their own',
    });
  }
}

export function destinationsOf(
  options: Pick<EndpointOptions, 'destinations'>,
  environment: Environment,
): Destinations {
  const variable = environmentVariables.destinations;
  if (options.destinations !== undefined)
    return parseDestinations(options.destinations, "option 'destinations'");
  const remedy = 'Set it to an object of addresses by name';
  return parseDestinations(parseJsonSetting(variable, environment[variable], remedy) ?? {}, variable);
}

/** The endpoint's own queue; nothing when it is not known. */
export function ownQueueUrl(options: SqsBatchOptions, environment: Environment): string | undefined {
  if (options.queueUrl !== undefined) return queueUrl('queueUrl', options.queueUrl);
  const name = options.endpoint ?? environment[environmentVariables.endpoint];
  if (name === undefined) return undefined;
  try {
    const own = destinationsOf(options, environment).get(name);
    return own?.kind === 'queue' ? own.queueUrl : undefined;
  } catch {
    // Each message fails by it, with a better place to tell of it than here.
    return undefined;
  }
}

export function errorQueueUrl(options: SqsBatchOptions, environment: Environment): string | undefined {
  const variable = environmentVariables.errorQueue;
  const url = options.errorQueueUrl ?? environment[variable];
  return url === undefined ? undefined : queueUrl(`errorQueueUrl (or ${variable})`, url);
}

export function maxReceiveCount(options: SqsBatchOptions, environment: Environment): number | undefined {
  const variable = environmentVariables.maxReceiveCount;
  const count = options.maxReceiveCount ?? environment[variable];
  return count === undefined ? undefined : wholeNumber(`maxReceiveCount (or ${variable})`, Number(count), 1);
}

/** Refuses wrong options when the handler is made; the environment is read later. */
export function assertQueueOptions(options: SqsBatchOptions): void {
  errorQueueUrl(options, {});
  maxReceiveCount(options, {});
  if (options.queueUrl !== undefined) queueUrl('queueUrl', options.queueUrl);
}

export function queueUrl(setting: string, url: string): string {
  if (/^https?:/.test(url) && URL.canParse(url)) return url;
  throw new SagaboxError('Configuration', {
    setting,
    problem: `${describeValue(url)} is no URL`,
    remedy: 'Give the URL of an SQS queue, not its name or ARN',
  });
}

export function deduplicationSeconds(options: EndpointOptions, environment: Environment): number {
  const variable = environmentVariables.deduplicationPeriodSeconds;
  const { deduplicationPeriod: configured } = options;
  const stated = environment[variable];
  const fallback = toSeconds(defaults.deduplicationPeriod);
  const seconds = configured !== undefined ? toSeconds(configured) : stated ? Number(stated) : fallback;
  if (seconds > 0 && Number.isFinite(seconds)) return seconds;
  throw new SagaboxError('Configuration', {
    setting: `deduplicationPeriod (or ${variable})`,
    problem: (configured !== undefined && durationProblem(configured)) || 'it is not a positive duration',
    remedy: 'Use one longer than a message can be delivered again, such as { days: 7 }',
  });
}

export function wholeNumber(setting: string, value: number, minimum: number): number {
  if (Number.isSafeInteger(value) && value >= minimum) return value;
  throw new SagaboxError('Configuration', {
    setting,
    problem: `${describeValue(value)} is not a whole number of at least ${minimum}`,
    remedy: `Use a whole number from ${minimum}`,
  });
}

export function durationMs(
  setting: string,
  duration: Duration,
  { min = 0, max = Number.MAX_SAFE_INTEGER }: { readonly min?: number; readonly max?: number } = {},
): number {
  const milliseconds = toMilliseconds(duration);
  if (milliseconds >= min && milliseconds <= max) return milliseconds;
  throw new SagaboxError('Configuration', {
    setting,
    problem: durationProblem(duration) ?? `${milliseconds} ms are out of range`,
    remedy: `Use a duration of ${min} to ${max} ms`,
  });
}

export function positiveNumber(setting: string, value: number): number {
  if (Number.isFinite(value) && value > 0) return value;
  throw new SagaboxError('Configuration', {
    setting,
    problem: `${describeValue(value)} is not a positive number`,
    remedy: 'Use a finite number above 0',
  });
}

function missing(option: string, variable: string, what: string): SagaboxError<'Configuration'> {
  return new SagaboxError('Configuration', {
    setting: option,
    problem: `neither the option '${option}' nor the environment variable ${variable} is set`,
    remedy: `Give ${what}`,
  });
}
