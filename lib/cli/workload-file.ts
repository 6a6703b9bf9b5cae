import { readFile } from 'node:fs/promises';

/**
 * Reads a workload file: JSON, or YAML, which JSON is a part of.
 *
 * @throws Error in words for the user, when there is no such file or it holds neither.
 */
export async function readWorkloadFile(path: string): Promise<unknown> {
  const text = await readText(path);
  try {
    if (/\.json$/i.test(path)) return JSON.parse(text);
    // Takes a while to load, and only these files need it.
    const { parse } = await import('yaml');
    return parse(text);
  } catch (error) {
    throw new Error(`it holds neither JSON nor YAML: ${messageOf(error)}`, { cause: error });
  }
}

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    throw new Error(`it cannot be read: ${messageOf(error)}`, { cause: error });
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message.trimEnd() : String(error);
}
