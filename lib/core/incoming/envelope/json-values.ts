export type JsonObject = Readonly<Record<string, unknown>>;

export function asJsonObject(value: unknown): JsonObject | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as JsonObject)
    : undefined;
}

export function asFilledText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

export function asDate(value: unknown): Date | undefined {
  const date = new Date(asFilledText(value) ?? Number.NaN);
  return Number.isNaN(date.getTime()) ? undefined : date;
}
