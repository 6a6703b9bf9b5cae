import { SagaboxError } from '../failures/errors.ts';

/** Options by their names before 1.0, and what they are called now. */
export const renamedSettings: ReadonlyMap<string, string> = new Map(
  Object.entries({
    abortMs: 'abort',
    baseDelayMs: 'baseDelay',
    baseDelaySeconds: 'baseDelay',
    giveUpMs: 'giveUp',
    maximumDelayMs: 'maxDelay',
    maximumDelaySeconds: 'maxDelay',
    maximumReadUnitsPerSecond: 'maxReadUnitsPerSecond',
    maximumRetries: 'maxRetries',
    onRecovered: 'onRelayed',
    recoveryIndex: 'relayIndex',
    retentionDays: 'retention',
    startMs: 'start',
    timeToKeepDeduplicationData: 'deduplicationPeriod',
  }),
);

const renamedVariables = {
  SAGABOX_RECOVERY: 'SAGABOX_RELAY',
  SAGABOX_RECOVERY_INDEX: 'SAGABOX_RELAY_INDEX',
  SAGABOX_TIME_TO_KEEP_DEDUPLICATION_DATA_SECONDS: 'SAGABOX_DEDUPLICATION_PERIOD_SECONDS',
} as const;

/**
 * Refuses environment variables by their names before 1.0: ignored, they would leave a function with defaults.
 *
 * @throws SagaboxError `Configuration`
 */
export function assertNoRenamedVariables(environment: Readonly<Record<string, string | undefined>>): void {
  for (const [variable, renamed] of Object.entries(renamedVariables)) {
    if (environment[variable] === undefined) continue;
    throw new SagaboxError('Configuration', {
      setting: variable,
      problem: `it is called '${renamed}' now`,
      remedy: 'Deploy the function with the constructs of this version, or rename the variable',
    });
  }
}
