import {
  aNonEmptyString,
  anyValue,
  type Check,
  listOf,
  objectOf,
  problemsOf,
  recordOf,
} from '../../kernel/checks/checks.ts';
import { problemText } from '../../kernel/checks/problems.ts';
import { hasSqsCharacters, refusedCharacter } from '../../messages/wire-format/sqs-characters.ts';
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

const attribute: Check = (value, at, report) => {
  const text = aNonEmptyString(value, at, report) as string | undefined;
  if (text === undefined || hasSqsCharacters(text)) return text;
  const problem = `it has ${refusedCharacter(text)}, which SQS does not take`;
  report.add(at, problem, 'Leave it out, or put it into the body');
  return undefined;
};
const messages = listOf(
  objectOf(
    {
      queue: aNonEmptyString,
      type: attribute,
      body: anyValue,
      id: attribute,
      headers: recordOf(attribute),
    } satisfies Record<keyof AppMessage, Check>,
    { needs: ['type', 'body'] },
  ),
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
    const problems = problemsOf(messages, read);
    if (problems.length === 0) return { messages: read };
    return refused(...problems.map(problemText));
  } catch (error) {
    return refused((error as Error).message);
  }
}
