import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { expect, it } from '@jest/globals';
import { createSandboxDirectory } from '../../../lib/local/lambda/sandbox-directory.ts';
import { directoryOfTest } from '../../support/temporary-directory.ts';

const temporary = directoryOfTest();

it('maps of copied code point to the sources that those of the bundle point to', async () => {
  const bundle = temporary('cdk.out', 'asset.a');
  await mkdir(bundle, { recursive: true });
  const map = {
    version: 3,
    sources: ['../../lambdas/orders.ts', null, 'https://sources.test/a.ts'],
    mappings: '',
  };
  await writeFile(`${bundle}/index.js.map`, JSON.stringify(map));
  await writeFile(`${bundle}/rooted.js.map`, JSON.stringify({ sourceRoot: '../../', sources: ['lib/a.ts'] }));
  await writeFile(`${bundle}/damaged.js.map`, 'no JSON');
  const task = await createSandboxDirectory(bundle, temporary('sandbox'));
  const copied = async (name: string) => JSON.parse(await readFile(`${task}/${name}`, 'utf8'));
  expect(await copied('index.js.map')).toEqual({
    ...map,
    sources: [temporary('lambdas/orders.ts'), null, 'https://sources.test/a.ts'],
  });
  expect(await copied('rooted.js.map')).toEqual({ sources: [temporary('lib/a.ts')] });
  expect(await readFile(`${task}/damaged.js.map`, 'utf8')).toBe('no JSON');
});
