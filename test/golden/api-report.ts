import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type ModuleItem, parse, print } from '@swc/core';
import { buildPackage } from '../../bin/package/build-package.ts';
import { entryPoints, readManifest } from '../../bin/package/manifest.ts';

/**
 * The public types of the package: what each entry point exports, and all declarations without their comments.
 * They are in the order of their text, as the bundler chooses the files that hold them.
 */
export async function apiReport(): Promise<string> {
  const folder = join(await buildPackage(), 'lib');
  const entries = Object.keys(entryPoints(await readManifest())).map((name) => `${name}.d.ts`);
  const files = (await readdir(folder)).filter((file) => file.endsWith('.d.ts')).toSorted();
  const exported: string[] = [];
  const declared: string[] = [];
  for (const file of files) {
    const items = await itemsOf(await readFile(join(folder, file), 'utf8'));
    declared.push(...items.filter((item) => !/^(import|export) /.test(item)));
    const lists = items.filter((item) => item.startsWith('export '));
    if (entries.includes(file)) exported.push(`// ${file}`, ...lists);
  }
  return `${[...exported, '// declarations', ...declared.toSorted()].join('\n')}\n`;
}

async function itemsOf(source: string): Promise<readonly string[]> {
  const module = await parse(source, { syntax: 'typescript', target: 'es2024' });
  const printed = module.body.map(async (item: ModuleItem) => {
    const { code } = await print({ ...module, body: [item] }, { jsc: { target: 'es2024' } });
    return code.trim();
  });
  return await Promise.all(printed);
}
