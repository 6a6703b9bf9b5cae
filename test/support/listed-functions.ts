import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repository } from './source-files.ts';

/** The functions that a section of the architecture page lists, in its order, as '<file>: <function>'. */
export function listedFunctions(title: string): readonly string[] {
  const page = readFileSync(join(repository, 'docs/design/architecture.md'), 'utf8');
  const [, section = ''] = page.split(`\n## ${title}\n`);
  const [list = ''] = section.split('\n## ');
  return [...list.matchAll(/^\d+\. `(\S+)` \(`(\S+)`\)/gm)].map(([, name, file]) => `${file}: ${name}`);
}
