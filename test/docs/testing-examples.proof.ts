import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from '@jest/globals';
import { repository } from '../support/source-files.ts';

const execute = promisify(execFile);
const examplesOf = (page: string) => {
  const text = readFileSync(join(repository, 'docs/guide', page), 'utf8');
  const blocks = [...text.matchAll(/^```ts\n([\s\S]*?)^```/gm)].map(([, code = '']) => code);
  return blocks.map((code) => withImported(code, blocks));
};
const isProof = (code: string) => code.includes('assert.');
/** Others have few examples that run by themselves: those that prove something. */
const examples = [
  ...examplesOf('testing.md'),
  ...['compensation.md', 'from-nservicebus.md', 'from-powertools.md', 'schema-evolution.md'].flatMap(
    (page) => {
      const found = examplesOf(page).filter(isProof);
      if (found.length === 0) throw new Error(`${page} has no example that asserts anything`);
      return found;
    },
  ),
];

/** With the blocks of its page in place of their imports: a block names its file in its first line. */
function withImported(code: string, blocks: readonly string[], imported = new Set<string>()): string {
  return code.replaceAll(/^import .+ from '\.\/(.+)';$/gm, (line, file: string) => {
    const found = blocks.find((block) => block.startsWith(`// ${file}\n`));
    if (found === undefined) return line;
    // Two blocks may import a third one, whose names stand once in the whole.
    if (imported.has(file)) return '';
    imported.add(file);
    return withImported(found, blocks, imported);
  });
}

/** As a block beside others, each with imports of its own: one process runs them all. */
function asBlock(code: string): string {
  const dynamic = code
    .replaceAll(/^export |^import type .*$/gm, '')
    .replaceAll(/^import (.+) from ('.+');.*$/gm, (_line, names: string, path: string) => {
      const values = names.replaceAll(/,?\s*type \w+,?/g, '').replace(/^\* as /, '');
      return `const ${/^\w+$/.test(values) && path.includes('node:') ? `{ default: ${values} }` : values} = await import(${path});`;
    });
  return `{\n${dynamic}\n}\n`;
}

it('the examples of docs/guide/testing.md and other pages run, and hold', async () => {
  expect(examples.filter(isProof).length).toBeGreaterThan(3);
  const code = examples.map(asBlock).join('');
  const flags = ['--conditions=sagabox-source', '--disable-warning=ExperimentalWarning'];
  await execute(process.execPath, [...flags, '--input-type=module-typescript', '--eval', code], {
    cwd: repository,
  });
});
