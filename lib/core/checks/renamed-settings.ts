import { SagaboxError } from '../failures/errors.ts';

/** Options and environment variables by their names before 1.0, and what they are called now. */
const renamed = {
  abortMs: 'abort',
  baseDelayMs: 'baseDelay',
  baseDelaySeconds: 'baseDelay',
  deduplicationDays: 'deduplicationPeriod',
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
  SAGABOX_RECOVERY: 'SAGABOX_RELAY',
  SAGABOX_RECOVERY_INDEX: 'SAGABOX_RELAY_INDEX',
  SAGABOX_TIME_TO_KEEP_DEDUPLICATION_DATA_SECONDS: 'SAGABOX_DEDUPLICATION_PERIOD_SECONDS',
} as const;

/** What is wrong with a setting that has another name now. */
export function renamedProblem(name: string): string | undefined {
  return Object.hasOwn(renamed, name)
    ? `it is called '${renamed[name as keyof typeof renamed]}' now`
    : undefined;
}

/**
 * Refuses environment variables by their names before 1.0: ignored, they would leave a function with defaults.
 *
 * @throws SagaboxError `Configuration`
 */
export function assertNoRenamedVariables(environment: Readonly<Record<string, string | undefined>>): void {
  const variables = Object.keys(renamed).filter((name) => name.startsWith('SAGABOX_'));
  const setting = variables.find((name) => environment[name] !== undefined);
  const problem = setting && renamedProblem(setting);
  if (problem) throw new SagaboxError('Configuration', { setting, problem, remedy: 'Rename it' });
}
