import type { MessageAttributeValue } from '@aws-sdk/client-sqs';
import * as v from 'valibot';
import { isObject, mustBe, object, present, problemsOf, string } from '../../capacity/rules/fields.ts';
import { headerNames } from '../../core/incoming/headers.ts';
import { readDataFile } from '../data-file.ts';

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
  const refused = (...problems: readonly string[]) => ({
    problems: problems.map((problem) => `--messages: ${path}: ${problem}`),
  });
  try {
    const read = await readDataFile(path);
    if (!Array.isArray(read) || read.length === 0)
      return refused('it holds no message: with --app it is a JSON array of { type, body }');
    const problems = problemsOf(messagesSchema, read);
    if (problems.length === 0) return { messages: read };
    return refused(...problems.map(({ path: at, problem }) => `${at}: ${problem}`));
  } catch (error) {
    return refused((error as Error).message);
  }
}

/** The message attributes that it is sent with. */
export function messageAttributes({
  id,
  type,
  headers,
}: Required<Pick<AppMessage, 'id' | 'type'>> & Pick<AppMessage, 'headers'>) {
  const values = { ...headers, [headerNames.messageId]: id, [headerNames.messageType]: type };
  return Object.fromEntries(
    Object.entries(values).map(([name, StringValue]): [string, MessageAttributeValue] => [
      name,
      { DataType: 'String', StringValue },
    ]),
  );
}
