import { inspect } from 'node:util';
import { stringOf } from '../../kernel/errors/thrown.ts';
import { isJsonObject } from '../../kernel/values/value-kind.ts';
import { JsonCopy } from '../../observe/logs/json-copy.ts';
import { MAX_LINE_BYTES } from '../../observe/logs/log-line.ts';

/** A line for people: fields without secrets, and below it an error with its causes. Never throws. */
export function textLine(message: string, fields: Readonly<Record<string, unknown>>): string {
  const copy = new JsonCopy(MAX_LINE_BYTES);
  const told = copy.of(fields);
  const { error, ...others } = isJsonObject(told) ? told : { facts: told };
  const all = copy.wasCut ? { ...others, truncated: true } : others;
  if (!isToldError(error)) return `${message}${listed(error === undefined ? all : { ...all, error })}`;
  return `${message}${listed(all)}${errorLines(error)}`;
}

interface ToldError extends Readonly<Record<string, unknown>> {
  readonly message: unknown;
}

function isToldError(value: unknown): value is ToldError {
  return isJsonObject(value) && 'message' in value;
}

function errorLines(told: ToldError, label = ''): string {
  const { name, message, stack, cause, errors, ...others } = told;
  const head = name === undefined ? message : `${name}: ${message}`;
  const places = stack === undefined ? '' : `\n${stack}`;
  const causes = [cause ?? []].flat().map((each) => ['[cause] ', each] as const);
  const parts = [errors ?? []].flat().map((each) => ['[error] ', each] as const);
  const below = [...causes, ...parts].map(([kind, each]) =>
    isToldError(each) ? errorLines(each, kind) : `\n${kind}${inLine(each)}`,
  );
  return `\n${label}${head}${listed(others)}${places}${below.join('')}`;
}

function listed(fields: object): string {
  return Object.keys(fields).length === 0 ? '' : ` ${inLine(fields)}`;
}

function inLine(value: unknown): string {
  return stringOf(() => inspect(value, { breakLength: Number.POSITIVE_INFINITY, compact: true, depth: 6 }));
}
