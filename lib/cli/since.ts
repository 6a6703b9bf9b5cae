const unitsMs: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** A point in time, given as ISO 8601 or as a duration before now; nothing for a text that is neither. */
export function parseSince(text: string, now: Date): Date | undefined {
  const [, amount, unit = ''] = /^(\d+)([smhd])$/.exec(text) ?? [];
  const time = amount === undefined ? isoTime(text) : now.getTime() - Number(amount) * (unitsMs[unit] ?? 0);
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? undefined : date;
}

function isoTime(text: string): number {
  return /^\d{4}-\d{2}-\d{2}/.test(text) ? Date.parse(text) : Number.NaN;
}
