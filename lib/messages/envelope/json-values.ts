import { isJsonObject } from '../../kernel/values/value-kind.ts';

export type JsonObject = Readonly<Record<string, unknown>>;

export function asJsonObject(value: unknown): JsonObject | undefined {
  return isJsonObject(value) ? value : undefined;
}

export function asNonEmptyString(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

export function asDate(value: unknown): Date | undefined {
  const date = new Date(asNonEmptyString(value) ?? Number.NaN);
  return Number.isNaN(date.getTime()) ? undefined : date;
}
