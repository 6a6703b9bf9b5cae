import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';

interface SourceMap {
  readonly sourceRoot?: string;
  readonly sources?: readonly (string | null)[];
}

/**
 * Makes the source maps of a copied bundle point to the sources that those of the bundle itself point to, so that
 * stacks lead to files that exist.
 *
 * @param origin the folder that the bundle was copied from
 */
export async function keepSources(copy: string, origin: string): Promise<void> {
  const files = await readdir(copy);
  await Promise.all(
    files.filter((name) => name.endsWith('.map')).map((name) => rewrite(join(copy, name), origin)),
  );
}

async function rewrite(file: string, origin: string): Promise<void> {
  const map = parsed(await readFile(file, 'utf8'));
  if (!Array.isArray(map?.sources)) return;
  const { sourceRoot = '', ...others } = map;
  const sources = map.sources.map((source) => source && absolute(sourceRoot + source, origin));
  await writeFile(file, JSON.stringify({ ...others, sources }));
}

function absolute(source: string, origin: string): string {
  return URL.canParse(source) ? source : resolve(origin, source);
}

/** One that is damaged is the user's own. */
function parsed(text: string): SourceMap | undefined {
  try {
    return JSON.parse(text) ?? undefined;
  } catch {
    // The stack shows the bundle then.
    return undefined;
  }
}
