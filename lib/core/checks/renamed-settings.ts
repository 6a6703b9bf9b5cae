import { configurationError } from '../failures/errors.ts';

/** Options, props of constructs and environment variables by their names before 1.0, and their names now. */
const renamed: Readonly<Record<string, string>> = {
  abortMs: 'abort',
  baseDelayMs: 'baseDelay',
  baseDelaySeconds: 'baseDelay',
  deduplicationDays: 'deduplicationPeriod',
  giveUpMs: 'giveUp',
  maximumDelayMs: 'maxDelay',
  maximumDelaySeconds: 'maxDelay',
  maximumReadUnitsPerSecond: 'maxReadUnitsPerSecond',
  maximumRetries: 'maxRetries',
  maxReadUnits: 'maxReadRequestUnits',
  maxUnits: 'maxCapacity',
  maxWriteUnits: 'maxWriteRequestUnits',
  minUnits: 'minCapacity',
  onRecovered: 'onRelayed',
  recoveryIndex: 'relayIndex',
  retentionDays: 'retention',
  startMs: 'start',
  timeToKeepDeduplicationData: 'deduplicationPeriod',
  SAGABOX_RECOVERY: 'SAGABOX_RELAY',
  SAGABOX_RECOVERY_INDEX: 'SAGABOX_RELAY_INDEX',
  SAGABOX_TIME_TO_KEEP_DEDUPLICATION_DATA_SECONDS: 'SAGABOX_DEDUPLICATION_PERIOD_SECONDS',
};

export function renamedProblem(name: string): string | undefined {
  return Object.hasOwn(renamed, name) ? `it is called '${renamed[name]}' now` : undefined;
}

/**
 * Refuses settings by their names before 1.0, which plain JavaScript can pass: ignored, they would leave you
 * with defaults.
 *
 * @throws SagaboxError `Configuration`
 */
export function assertNoRenamedSettings(settings: object): void {
  for (const [setting, value] of Object.entries(settings)) {
    const problem = value === undefined ? undefined : renamedProblem(setting);
    if (problem) throw configurationError(setting, problem, 'Rename it');
  }
}

/** The same for environment variables, of which others may have any name. */
export function assertNoRenamedVariables(environment: Readonly<Record<string, string | undefined>>): void {
  // Each value of `process.env` that is read is a call of the system.
  const own = Object.keys(environment).filter((name) => name.startsWith('SAGABOX_'));
  assertNoRenamedSettings(Object.fromEntries(own.map((name) => [name, environment[name]])));
}
