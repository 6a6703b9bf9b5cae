import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from '@jest/globals';
import { repository } from '../support/source-files.ts';

const execute = promisify(execFile);
const page = readFileSync(join(repository, 'docs/guide/testing.md'), 'utf8');
const examples = [...page.matchAll(/^```ts\n([\s\S]*?)^```/gm)].map(([, code = '']) => code);

/** As a block beside others, each with imports of its own: one process runs them all. */
function asBlock(code: string): string {
  const dynamic = code.replaceAll(/^import (.+) from ('.+');$/gm, (_line, names: string, path: string) => {
    const values = names.replaceAll(/,?\s*type \w+,?/g, '').replace(/^\* as /, '');
    return `const ${/^\w+$/.test(values) && path.includes('node:') ? `{ default: ${values} }` : values} = await import(${path});`;
  });
  return `{\n${dynamic}\n}\n`;
}

it('the examples of docs/guide/testing.md run, and hold', async () => {
  expect(examples.filter((code) => code.includes('assert.')).length).toBeGreaterThan(3);
  const code = examples.map(asBlock).join('');
  const flags = ['--conditions=sagabox-source', '--disable-warning=ExperimentalWarning'];
  await execute(process.execPath, [...flags, '--input-type=module-typescript', '--eval', code], {
    cwd: repository,
  });
});
