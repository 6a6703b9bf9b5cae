const upToTwoDigits = new Intl.NumberFormat('en-US', { maximumFractionDigits: 2 });
const whole = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });
const cents = new Intl.NumberFormat('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 });
const significant = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 3 });

/** For a number that is not finite, such as the break-even of a workload without units. */
const UNKNOWN = '-';

/** Units, calls, items: with two digits after the point at most, and small ones never as 0. */
export function formatUnits(value: number): string {
  if (!Number.isFinite(value)) return UNKNOWN;
  return value !== 0 && Math.abs(value) < 0.01 ? significant.format(value) : upToTwoDigits.format(value);
}

export function formatWhole(value: number): string {
  return Number.isFinite(value) ? whole.format(value) : UNKNOWN;
}

export function formatDollars(value: number): string {
  // A sum such as 2.575 is a little less as a binary number, which would round it down.
  return Number.isFinite(value) ? `$${cents.format(Number(value.toPrecision(12)))}` : UNKNOWN;
}

export function formatPercent(value: number): string {
  return Number.isFinite(value) ? `${upToTwoDigits.format(Math.round(value * 10) / 10)} %` : UNKNOWN;
}

const byteUnits = ['B', 'KB', 'MB', 'GB', 'TB', 'PB'] as const;

/** In units of 1,024, as DynamoDB counts. */
export function formatBytes(bytes: number): string {
  if (!Number.isFinite(bytes)) return UNKNOWN;
  const power = bytes < 1 ? 0 : Math.min(byteUnits.length - 1, Math.floor(Math.log2(bytes) / 10));
  return `${significant.format(bytes / 1024 ** power)} ${byteUnits[power]}`;
}
