export type Format = (value: number) => string;

export const formatWhole = formatOf({ maximumFractionDigits: 0 });
/** Units and calls are means of many messages where they are not whole. */
export const formatUnits = formatOf({ maximumFractionDigits: 2 });
/** Three digits after the point, so that no figure beyond its limit looks as if it were within. */
export const formatRatio = formatOf({ minimumFractionDigits: 3, maximumFractionDigits: 3 });
export const formatKB = formatOf({ minimumFractionDigits: 1, maximumFractionDigits: 1 }, ' kB');
/** Times differ from run to run in the digits behind the third: 1,234 is 1,230. */
export const formatSignificant = formatOf({ maximumSignificantDigits: 3 });
export const formatMicros = formatOf({ maximumSignificantDigits: 3 }, ' µs');
export const formatMillis = formatOf({ maximumSignificantDigits: 3 }, ' ms');
export const formatSeconds = formatOf({ maximumSignificantDigits: 3 }, ' s');
export const formatAllocatedKB = formatOf({ maximumSignificantDigits: 3 }, ' kB');

function formatOf(options: Intl.NumberFormatOptions, unit = ''): Format {
  const numberFormat = new Intl.NumberFormat('en-US', options);
  return (value) => `${numberFormat.format(value)}${unit}`;
}
