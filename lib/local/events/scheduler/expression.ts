/** The time of `at(yyyy-mm-ddThh:mm:ss)` in UTC; undefined for any other string. */
export function timeOfAt(expression: string): Date | undefined {
  const [, given] = /^at\((\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})\)$/.exec(expression) ?? [];
  const time = new Date(`${given}Z`);
  const isReal = given !== undefined && !Number.isNaN(time.getTime()) && time.toISOString().startsWith(given);
  return isReal ? time : undefined;
}

const unitMs: Readonly<Record<string, number>> = { minute: 60_000, hour: 3_600_000, day: 86_400_000 };

/** The milliseconds of `rate(5 minutes)` or `rate(1 minute)`; undefined for any other string. */
export function periodOfRate(expression: string): number | undefined {
  const [, count, unit, plural] = /^rate\(([1-9]\d*) (minute|hour|day)(s?)\)$/.exec(expression) ?? [];
  if (unit === undefined || (count === '1') !== (plural === '')) return undefined;
  return Number(count) * (unitMs[unit] ?? Number.NaN);
}
