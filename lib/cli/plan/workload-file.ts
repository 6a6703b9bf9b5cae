import { readFile } from 'node:fs/promises';
import type { Document } from 'yaml';

/**
 * Reads a JSON or YAML file. A byte order mark is skipped.
 * A duplicate property and an unknown tag are problems: a value would be lost.
 *
 * @throws Error in words for the user, when there is no such file, it holds neither, or is not clear
 */
export async function readWorkloadFile(path: string): Promise<unknown> {
  const content = (await readContent(path)).replace(/^\uFEFF/, '');
  const isJson = /\.json$/i.test(path);
  const json = isJson ? parsed(() => JSON.parse(content)) : undefined;
  // Takes a while to load, and only these files need it.
  const { parseDocument } = await import('yaml');
  const document = parseDocument(content);
  assertClear(document, isJson);
  return isJson ? json : parsed(() => document.toJS());
}

/** Of JSON, all that its own parser lets pass is whether the properties are there once. */
function assertClear({ errors, warnings }: Pick<Document, 'errors' | 'warnings'>, isJson: boolean): void {
  const [broken] = isJson ? [] : errors.filter(({ code }) => code !== 'DUPLICATE_KEY');
  if (broken !== undefined) throw unreadable(broken);
  const unclear = [...errors.filter(({ code }) => code === 'DUPLICATE_KEY'), ...(isJson ? [] : warnings)];
  if (unclear.length > 0) throw new Error(`it is not clear: ${unclear.map(messageOf).join('; ')}`);
}

function parsed(parse: () => unknown): unknown {
  try {
    return parse();
  } catch (error) {
    throw unreadable(error);
  }
}

function unreadable(error: unknown): Error {
  return new Error(`it holds neither JSON nor YAML: ${messageOf(error)}`, { cause: error });
}

async function readContent(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    throw new Error(`it cannot be read: ${messageOf(error)}`, { cause: error });
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message.trimEnd() : String(error);
}
