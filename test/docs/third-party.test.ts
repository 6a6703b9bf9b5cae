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

it('THIRD-PARTY.md has the license of each engine', () => {
  const rows = [...readText('THIRD-PARTY.md').matchAll(/^\| `([^`]+)` \| ([^|]+) \| [^|]+ \|$/gm)];
  expect(rows.length).toBeGreaterThan(2);
  // Not each is installed on every platform, or by `npm ci`.
  const locks = ['package-lock.json', 'test/dynamodb-local/packages/package-lock.json'];
  const locked = Object.assign({}, ...locks.map((path) => JSON.parse(readText(path)).packages));
  for (const [, name = '', license] of rows)
    expect([name, locked[`node_modules/${name}`].license]).toEqual([name, license]);
});
