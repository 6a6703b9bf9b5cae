import { SagaboxError } from '../core/failures/errors.ts';
import type { TimeMargins } from '../flow/batch/invocation-time.ts';
import { MAX_RETRY_SECONDS, type RecoverabilitySettings } from '../flow/recoverability/recoverability.ts';
import { defaults } from './defaults.ts';
import type { SqsBatchOptions } from './options.ts';
import { positiveNumber, wholeNumber } from './settings.ts';

/** @throws SagaboxError `Configuration` for a setting that is out of range */
export function recoverabilitySettings({ recoverability }: SqsBatchOptions): RecoverabilitySettings {
  const immediateRetries = { ...defaults.immediateRetries, ...recoverability?.immediateRetries };
  const inImmediate = 'recoverability.immediateRetries';
  wholeNumber(`${inImmediate}.maxRetries`, immediateRetries.maxRetries, 0);
  positiveNumber(`${inImmediate}.baseDelayMs`, immediateRetries.baseDelayMs);
  positiveNumber(`${inImmediate}.maxDelayMs`, immediateRetries.maxDelayMs);

  const delayedRetries = { ...defaults.delayedRetries, ...recoverability?.delayedRetries };
  const inDelayed = 'recoverability.delayedRetries';
  numberUpTo(`${inDelayed}.baseDelaySeconds`, delayedRetries.baseDelaySeconds, MAX_RETRY_SECONDS);
  numberUpTo(`${inDelayed}.maxDelaySeconds`, delayedRetries.maxDelaySeconds, MAX_RETRY_SECONDS);

  return { immediateRetries, delayedRetries };
}

/** @throws SagaboxError `Configuration` when they are negative, or come in the wrong order */
export function timeMargins(options: SqsBatchOptions): TimeMargins {
  const margins = { ...defaults.timeMargins, ...options.timeMargins };
  const { startMs, abortMs, giveUpMs } = margins;
  numberUpTo('timeMargins.giveUpMs', giveUpMs, Number.MAX_SAFE_INTEGER);
  if (giveUpMs <= abortMs && abortMs <= startMs && Number.isFinite(startMs)) return margins;
  throw new SagaboxError('Configuration', {
    setting: 'timeMargins',
    problem: `startMs ${startMs}, abortMs ${abortMs} and giveUpMs ${giveUpMs} are not in this order`,
    remedy: 'Let startMs be at least abortMs, and abortMs at least giveUpMs',
  });
}

function numberUpTo(setting: string, value: number, maximum: number): void {
  if (value >= 0 && value <= maximum) return;
  throw new SagaboxError('Configuration', {
    setting,
    problem: `${value} is out of range`,
    remedy: `Use a number from 0 to ${maximum}`,
  });
}
