import { isJsonObject } from '../../kernel/values/value-kind.ts';

export type Fields = Readonly<Record<string, unknown>>;

export function objectOr(value: unknown): Fields {
  return isJsonObject(value) ? value : {};
}

export function nonEmpty(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
