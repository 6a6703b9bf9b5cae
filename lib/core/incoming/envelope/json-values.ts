import { isJsonObject } from '../../checks/value-kind.ts';

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

/** A byte order mark before JSON may be ignored. Source: RFC 8259, section 8.1. */
export function parseJson(text: string): unknown {
  return JSON.parse(text.startsWith('\uFEFF') ? text.slice(1) : text);
}
