import { readFile } from 'node:fs/promises';
import * as v from 'valibot';
import { isObject, mustBe, object, present, problemsOf, string } from '../../capacity/rules/fields.ts';
import { headerNames } from '../../core/incoming/headers.ts';

/** A message for a queue of an app. */
export interface AppMessage {
  readonly type: string;
  readonly body: unknown;
  /** @default a random one */
  readonly id?: string;
  /** Further message attributes. */
  readonly headers?: Readonly<Record<string, string>>;
}

const headers = v.pipe(v.custom(isObject, mustBe('an object of strings')), v.record(v.string(), string));
const messagesSchema = v.array(
  object({ type: string, body: present, id: string, headers }, ['type', 'body']),
);

/** @returns every problem at once, each with its path in the file */
export async function readAppMessages(
  path: string | undefined,
): Promise<{ messages: readonly AppMessage[] } | { problems: readonly string[] }> {
  if (path === undefined) return { problems: ['--messages: give the file with the messages to send'] };
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
  const problems = problemsOf(messagesSchema, read);
  if (problems.length === 0) return { messages: read };
  return { problems: problems.map(({ path: at, problem }) => `--messages: ${path}: ${at}: ${problem}`) };
}

/** The message attributes that it is sent with. */
export function attributesOf({ type, headers }: AppMessage, id: string): Record<string, string> {
  return { ...headers, [headerNames.messageId]: id, [headerNames.messageType]: type };
}
