import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { repository } from '../support/source-files.ts';

const readText = (path: string) => readFileSync(join(repository, path), 'utf8');

it('THIRD-PARTY.md has each dependency and peer with its license', () => {
  const { dependencies, peerDependencies } = JSON.parse(readText('package.json'));
  const licenses = Object.keys({ ...dependencies, ...peerDependencies }).map((name) => [
    name,
    JSON.parse(readText(`node_modules/${name}/package.json`)).license,
  ]);
  const rows = [...readText('THIRD-PARTY.md').matchAll(/^\| `([^`]+)` \| (\S+) \|$/gm)];
  expect(rows.map(([, name, license]) => [name, license])).toEqual(licenses);
});
