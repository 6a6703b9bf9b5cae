import { SagaboxError } from '../core/failures/errors.ts';
import type { TimeMargins } from '../flow/batch/invocation-time.ts';
import { MAX_RETRY_SECONDS, type RecoverabilitySettings } from '../flow/recoverability/recoverability.ts';
import { defaults } from './defaults.ts';
import type { SqsBatchOptions } from './options.ts';
import { durationMs, wholeNumber } from './settings.ts';

/** @throws SagaboxError `Configuration` for a setting that is out of range */
export function recoverabilitySettings({ recoverability }: SqsBatchOptions): RecoverabilitySettings {
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

/** @throws SagaboxError `Configuration` when they are negative, or come in the wrong order */
export function timeMargins(options: SqsBatchOptions): TimeMargins {
  const margins = { ...defaults.timeMargins, ...options.timeMargins };
  const startMs = durationMs('timeMargins.start', margins.start);
  const abortMs = durationMs('timeMargins.abort', margins.abort);
  const giveUpMs = durationMs('timeMargins.giveUp', margins.giveUp);
  if (giveUpMs <= abortMs && abortMs <= startMs) return { startMs, abortMs, giveUpMs };
  throw new SagaboxError('Configuration', {
    setting: 'timeMargins',
    problem: `start (${startMs} ms), abort (${abortMs} ms) and giveUp (${giveUpMs} ms) are not in this order`,
    remedy: 'Let start be at least abort, and abort at least giveUp',
  });
}

/** What a message's visibility timeout can be. */
const queueDelay = { max: MAX_RETRY_SECONDS * 1000 };
