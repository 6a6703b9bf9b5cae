import * as v from 'valibot';
import { isObject, mustBe, object, present, problemsOf, string } from '../../capacity/rules/fields.ts';
import { hasSqsCharacters, refusedCharacter } from '../../core/wire-format/sqs-characters.ts';
import { readDataFile } from '../data-file.ts';

/** A message of a file, for a queue of an app. */
export interface AppMessage {
  /** Its name or logical id, or the endpoint that it feeds. */
  readonly queue?: string;
  readonly type: string;
  readonly body: unknown;
  /** @default a random one */
  readonly id?: string;
  /** Further message attributes. */
  readonly headers?: Readonly<Record<string, string>>;
}

const attribute = v.pipe(
  string,
  v.check(
    hasSqsCharacters,
    ({ input }) =>
      `has ${refusedCharacter(input)}, which SQS does not take: leave it out, or put it into the body`,
  ),
);
const headers = v.pipe(v.custom(isObject, mustBe('an object of strings')), v.record(v.string(), attribute));
const messagesSchema = v.array(
  object({ queue: string, type: attribute, body: present, id: attribute, headers }, ['type', 'body']),
);

/**
 * @param option that names the file
 * @returns every problem at once, each with its path in the file
 */
export async function readAppMessages(
  option: string,
  path: string | undefined,
): Promise<{ messages: readonly AppMessage[] } | { problems: readonly string[] }> {
  if (path === undefined) return { problems: [`${option}: give the file with the messages to send`] };
  const refused = (...problems: readonly string[]) => ({
    problems: problems.map((problem) => `${option}: ${path}: ${problem}`),
  });
  try {
    const read = await readDataFile(path);
    if (!Array.isArray(read) || read.length === 0)
      return refused('it holds no message: it is a list of { type, body }, as YAML or JSON');
    const problems = problemsOf(messagesSchema, read);
    if (problems.length === 0) return { messages: read };
    return refused(...problems.map(({ path: at, problem }) => `${at}: ${problem}`));
  } catch (error) {
    return refused((error as Error).message);
  }
}
