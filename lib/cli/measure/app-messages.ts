import { readFile } from 'node:fs/promises';
import { headerNames } from '../../core/incoming/headers.ts';

/** A message for a queue of an app. */
export interface AppMessage {
  readonly type: string;
  readonly body: unknown;
  /** Given by the run where it is not. */
  readonly id?: string;
  /** Further message attributes. */
  readonly headers?: Readonly<Record<string, string>>;
}

const fields = ['type', 'body', 'id', 'headers'];

/** @returns every problem at once, each with its path in the file */
export async function readAppMessages(
  path: string,
): Promise<{ messages: readonly AppMessage[] } | { problems: readonly string[] }> {
  let read: unknown;
  try {
    read = JSON.parse(await readFile(path, 'utf8'));
  } catch (error) {
    return { problems: [`--messages: ${path} cannot be read: ${(error as Error).message}`] };
  }
  if (!Array.isArray(read) || read.length === 0) {
    return {
      problems: [`--messages: ${path} holds no message: with --app it is a JSON array of { type, body }`],
    };
  }
  const problems = read.flatMap((message: unknown, index) =>
    problemsOf(message).map((problem) => `--messages: ${path}: [${index}]${problem}`),
  );
  return problems.length > 0 ? { problems } : { messages: read };
}

/** The message attributes that it is sent with. */
export function attributesOf({ type, headers }: AppMessage, id: string): Record<string, string> {
  return { ...headers, [headerNames.messageId]: id, [headerNames.messageType]: type };
}

function problemsOf(message: unknown): string[] {
  if (!isObject(message)) return [': it is no object'];
  const { type, body, id, headers } = message;
  const unknown = Object.keys(message).filter((name) => !fields.includes(name));
  return [
    ...(isString(type) ? [] : ['.type: it is no text']),
    ...(body === undefined ? ['.body: there is none'] : []),
    ...(id === undefined || isString(id) ? [] : ['.id: it is no text']),
    ...(headers === undefined || (isObject(headers) && Object.values(headers).every(isString))
      ? []
      : ['.headers: it is no object of texts']),
    ...unknown.map((name) => `.${name}: there is no such field, only ${fields.join(', ')}`),
  ];
}

function isString(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
