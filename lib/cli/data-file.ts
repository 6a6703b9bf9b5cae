import { readFile } from 'node:fs/promises';

/**
 * Reads a file of YAML, of which JSON is a part. A duplicate property and an unknown tag are refused: a value
 * would be lost.
 *
 * @throws Error in words for the user
 */
export async function readDataFile(path: string): Promise<unknown> {
  try {
    const content = await readFile(path, 'utf8');
    // Takes a while to load, and few commands need it.
    const { parseDocument } = await import('yaml');
    const document = parseDocument(content);
    const [problem] = [...document.errors, ...document.warnings];
    if (problem !== undefined) throw problem;
    return document.toJS();
  } catch (error) {
    throw new Error(`it cannot be read: ${(error as Error).message.trimEnd()}`, { cause: error });
  }
}
