import {
  aFunction,
  aNonEmptyString,
  assertOptionKinds,
  type Check,
  kind,
  trueOrFalse,
} from '../../kernel/checks/checks.ts';
import { configurationError } from '../../kernel/errors/errors.ts';
import { describeValue } from '../../kernel/errors/thrown.ts';
import type { FaultRule } from '../proxy/faults.ts';
import type { LocalAppOptions } from './options.ts';

const MAX_PORT = 65_535;
const kills: readonly unknown[] = ['beforeCall', 'afterCall'] satisfies FaultRule['kill'][];

const optionChecks = {
  assemblyDirectory: aNonEmptyString,
  port: kind('a port from 0 to 65535', (value) => isWhole(value, 0) && Number(value) <= MAX_PORT),
  timeScale: kind('a number above 0', (value) => Number.isFinite(value) && Number(value) > 0),
  maxConcurrency: kind('a whole number from 1', (value) => isWhole(value, 1)),
  redeliverAcknowledged: trueOrFalse,
  faults: kind(
    'an array of { name, matches, kill, atCalls }',
    (value) => Array.isArray(value) && value.every(isFaultRule),
  ),
  onOutput: aFunction,
  onInvocation: aFunction,
  onCall: aFunction,
  onFault: aFunction,
} satisfies Record<keyof Required<LocalAppOptions>, Check>;

/** @throws SagaboxError `Configuration` */
export function assertLocalAppOptions(options: LocalAppOptions): void {
  assertOptionKinds('startLocalApp', options, optionChecks, { page: 'docs/guide/local.md' });
  if (options.assemblyDirectory === undefined) {
    throw configurationError(
      'assemblyDirectory',
      'it is missing',
      "Give the output folder of 'cdk synth', by default cdk.out",
    );
  }
}

/** @throws SagaboxError `Configuration` */
export function assertSeconds(setting: string, seconds: unknown): void {
  if (Number.isFinite(seconds) && Number(seconds) >= 0) return;
  const problem = `${describeValue(seconds)} is not a number of seconds from 0`;
  throw configurationError(setting, problem, 'Time moves forward: pass 300 for five minutes');
}

function isWhole(value: unknown, min: number): boolean {
  return Number.isInteger(value) && Number(value) >= min;
}

function isFaultRule(rule: unknown): boolean {
  const { name, matches, kill, atCalls }: Partial<FaultRule> = Object(rule);
  return (
    typeof name === 'string' &&
    typeof matches === 'function' &&
    kills.includes(kill) &&
    Array.isArray(atCalls) &&
    atCalls.every((call) => isWhole(call, 1))
  );
}
