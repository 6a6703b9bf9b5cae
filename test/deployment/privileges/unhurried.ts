import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Lets the functions of an assembly run as long as they take on a slow machine, and its relays dispatch what was
 * stored just now. What they may do stays the same.
 */
export async function unhurried(assemblyDirectory: string): Promise<void> {
  const templates = (await readdir(assemblyDirectory)).filter((name) => name.endsWith('.template.json'));
  for (const name of templates) {
    const file = join(assemblyDirectory, name);
    const template = await readFile(file, 'utf8');
    const changed = template
      .replaceAll(/("Timeout": )\d+/g, (_, before) => `${before}600`)
      .replaceAll(/(olderThanSeconds\\":)\d+/g, (_, before) => `${before}0`);
    if (changed === template) throw new Error(`There is no timeout in ${file}`);
    await writeFile(file, changed);
  }
}
