const whole = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });
const significant = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 3 });
const upToTwoDigits = new Intl.NumberFormat('en-US', { maximumFractionDigits: 2 });
const oneDigit = new Intl.NumberFormat('en-US', { minimumFractionDigits: 1, maximumFractionDigits: 1 });
const threeDigits = new Intl.NumberFormat('en-US', { minimumFractionDigits: 3, maximumFractionDigits: 3 });

export function formatWhole(value: number): string {
  return whole.format(value);
}

/** Units and calls, which are means of many messages where they are not whole. */
export function formatUnits(value: number): string {
  return upToTwoDigits.format(value);
}

/** With three digits after the point, so that what is not within its limit does not look as if it were. */
export function formatRatio(value: number): string {
  return threeDigits.format(value);
}

export function formatKB(value: number): string {
  return `${oneDigit.format(value)} kB`;
}

/** Times, as far as they can be told from each other: 1,234 as 1,230. */
export function formatSignificant(value: number): string {
  return significant.format(value);
}

export function formatMicros(value: number): string {
  return `${significant.format(value)} µs`;
}

export function formatMillis(value: number): string {
  return `${significant.format(value)} ms`;
}

export function formatAllocated(bytes: number): string {
  return `${significant.format(bytes / 1000)} kB`;
}

export function formatSeconds(value: number): string {
  return `${significant.format(value)} s`;
}
