import { claimCheckDefaults } from '../core/claim-check-defaults.ts';
import { environmentVariables } from '../core/environment-variables.ts';
import { SagaboxError } from '../core/errors.ts';
import { parseJsonSetting } from '../core/json-setting.ts';
import type { MessageFormat, Sending } from '../core/sending.ts';
import { defaults } from './defaults.ts';
import type { ClaimCheckConfiguration, EndpointOptions, SchedulerConfiguration } from './options.ts';
import { destinationsOf, type Environment, positiveNumber } from './settings.ts';

/** @throws SagaboxError `Configuration` */
export function sendingOf(options: EndpointOptions, environment: Environment): Sending {
  return {
    destinations: destinationsOf(options, environment),
    publishTo: publishTo(options, environment),
    schedules: schedulerOf(options, environment) !== undefined,
    claimCheckThresholdBytes: claimCheckOf(options, environment)?.thresholdBytes,
    format: messageFormat(options),
  };
}

export function schedulerOf(
  options: EndpointOptions,
  environment: Environment,
): Readonly<SchedulerConfiguration> | undefined {
  const variable = environmentVariables.scheduler;
  const remedy =
    'Give { groupName, roleArn }: a schedule group, and the role that its schedules send with, as the construct does with scheduler: true';
  const configured = options.scheduler ?? parseJsonSetting(variable, environment[variable], remedy);
  if (configured === undefined) return undefined;
  const { groupName, roleArn } = texts(configured);
  if (groupName && roleArn?.startsWith('arn:')) return { groupName, roleArn };
  const setting = `scheduler (or ${variable})`;
  throw new SagaboxError('Configuration', {
    setting,
    problem: 'it names no group, or its role is no ARN',
    remedy,
  });
}

export function claimCheckOf(
  options: EndpointOptions,
  environment: Environment,
): Readonly<Required<ClaimCheckConfiguration>> | undefined {
  const variable = environmentVariables.claimCheck;
  const remedy = 'Give { bucketName, thresholdBytes }, as the construct does with claimCheck';
  const configured = (options.claimCheck ?? parseJsonSetting(variable, environment[variable], remedy)) as
    | Partial<ClaimCheckConfiguration>
    | undefined;
  if (configured === undefined) return undefined;
  const setting = `claimCheck (or ${variable})`;
  const { bucketName } = texts(configured);
  if (!bucketName) {
    throw new SagaboxError('Configuration', { setting, problem: 'it names no bucket', remedy });
  }
  const thresholdBytes = configured.thresholdBytes ?? claimCheckDefaults.thresholdBytes;
  return { bucketName, thresholdBytes: positiveNumber(`${setting}: thresholdBytes`, thresholdBytes) };
}

export function usesRecoveryIndex(options: EndpointOptions, environment: Environment): boolean {
  return options.recoveryIndex ?? environment[environmentVariables.recoveryIndex] === 'true';
}

function publishTo(options: EndpointOptions, environment: Environment): Readonly<Record<string, string>> {
  const variable = environmentVariables.publishTo;
  const remedy = "Give a destination's name, or one for each message type, as in { OrderPlaced: 'events' }";
  const configured = options.publishTo ?? parseJsonSetting(variable, environment[variable], remedy) ?? {};
  if (typeof configured === 'string') return { '*': configured };
  const isMap = typeof configured === 'object' && configured !== null && !Array.isArray(configured);
  if (isMap && Object.values(configured).every((name) => typeof name === 'string')) {
    return configured as Readonly<Record<string, string>>;
  }
  throw new SagaboxError('Configuration', {
    setting: `publishTo (or ${variable})`,
    problem: 'it is neither a name nor an object of names',
    remedy,
  });
}

function messageFormat({ messageFormat = defaults.messageFormat }: EndpointOptions): MessageFormat {
  if (messageFormat === 'plain' || messageFormat === 'cloudevents') return messageFormat;
  throw new SagaboxError('Configuration', {
    setting: 'messageFormat',
    problem: `it is ${JSON.stringify(messageFormat)}`,
    remedy: "Use 'plain' or 'cloudevents'",
  });
}

/** The properties of a value from outside that are texts. */
function texts(value: unknown): Partial<Record<string, string>> {
  if (typeof value !== 'object' || value === null) return {};
  return Object.fromEntries(Object.entries(value).filter(([, property]) => typeof property === 'string'));
}
