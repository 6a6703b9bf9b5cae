const unitsMs: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** A duration such as 90s, 30m, 12h or 7d; nothing for a text that is none. */
export function parseDurationMs(text: string): number | undefined {
  const [, amount, unit = ''] = /^(\d+)([smhd])$/.exec(text) ?? [];
  return amount === undefined ? undefined : Number(amount) * (unitsMs[unit] ?? 0);
}

/** A point in time, given as ISO 8601 or as a duration before now; nothing for a text that is neither. */
export function parseSince(text: string, now: Date): Date | undefined {
  const agoMs = parseDurationMs(text);
  const time = agoMs === undefined ? isoTime(text) : now.getTime() - agoMs;
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? undefined : date;
}

function isoTime(text: string): number {
  return /^\d{4}-\d{2}-\d{2}/.test(text) ? Date.parse(text) : Number.NaN;
}
