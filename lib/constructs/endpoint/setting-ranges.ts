import type { Duration } from 'aws-cdk-lib';
import { type Bounds, rangeProblem } from '../../core/checks/bounds.ts';
import { isKnown } from '../is-known.ts';
import type { SettingRule } from './setting-rule.ts';

const oneDay = 86_400;

type NumberSetting = 'batchSize' | 'maxConcurrency' | 'maxReceiveCount' | 'memorySizeMb';
type DurationSetting =
  | 'functionTimeout'
  | 'visibilityTimeout'
  | 'retention'
  | 'deadLetterRetention'
  | 'deduplicationPeriod'
  | 'maxBatchingWindow';

/**
 * Sources: "EventSourceMapping" in the AWS Lambda API Reference (BatchSize), "Lambda quotas" (memory),
 * "Amazon SQS queue parameters" (maximum receives).
 */
const numberBounds: Readonly<Record<NumberSetting, Bounds>> = {
  batchSize: { min: 1, max: 10_000 },
  maxConcurrency: { min: 2, max: 1000 },
  maxReceiveCount: { min: 1, max: 1000 },
  memorySizeMb: { min: 128, max: 10_240 },
};

/**
 * In seconds. Sources: "Lambda quotas" (timeout), "Amazon SQS message quotas" (retention, visibility
 * timeout), "EventSourceMapping" in the AWS Lambda API Reference (MaximumBatchingWindowInSeconds).
 */
const secondsBounds: Readonly<Record<DurationSetting, { readonly min: number; readonly max?: number }>> = {
  functionTimeout: { min: 1, max: 900 },
  visibilityTimeout: { min: 0, max: 12 * 3600 },
  retention: { min: 60, max: 14 * oneDay },
  deadLetterRetention: { min: 60, max: 14 * oneDay },
  deduplicationPeriod: { min: 1 },
  maxBatchingWindow: { min: 0, max: 300 },
};

export const rangeRules: readonly SettingRule[] = [...numberRules(), ...durationRules()];

function numberRules(): SettingRule[] {
  return entriesOf(numberBounds).map(([setting, bounds]) => ({
    name: `${setting}IsInRange`,
    setting,
    problemOf: ({ [setting]: value }) =>
      value === undefined || !isKnown(value) ? undefined : rangeProblem(value, bounds),
  }));
}

function durationRules(): SettingRule[] {
  return entriesOf(secondsBounds).map(([setting, { min, max }]) => ({
    name: `${setting}IsInRange`,
    setting,
    problemOf({ [setting]: duration }) {
      const seconds = secondsOf(duration);
      if (seconds === undefined || rangeProblem(seconds, { min, ...(max && { max }) }) === undefined) {
        return undefined;
      }
      const range = max === undefined ? `of at least ${min}` : `from ${min} to ${max}`;
      return { problem: `${seconds} s is out of range`, remedy: `Use a whole number of seconds ${range}` };
    },
  }));
}

/** `undefined` for what is known only at deployment. */
function secondsOf(duration: Duration | undefined): number | undefined {
  return duration === undefined || duration.isUnresolved() ? undefined : duration.toMilliseconds() / 1000;
}

function entriesOf<K extends string, V>(record: Readonly<Record<K, V>>): [K, V][] {
  return Object.entries(record) as [K, V][];
}
