import { globSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { repository } from '../support/source-files.ts';
import { coveringFiles, type TestOfFile } from './covering-files.ts';
import { folderTable } from './folder-table.ts';

const root = '/project';
const everyTest: TestOfFile[] = [
  ['begin 1', '/project/test/pipeline/begin.test.ts'],
  ['batch 1', '/project/test/pipeline/batch.test.ts'],
  ['batch 2', '/project/test/pipeline/batch.test.ts'],
  ['keys 1', '/project/test/dynamodb/keys.test.ts'],
  ['batch 3', '/project/test/pipeline/batch.test.ts'],
  ['locks 1', '/project/test/saga/locks.dynamodb.test.ts'],
];

const filesFor = (mutatedFile: string, tests?: string[]) =>
  coveringFiles({ mutatedFile: `${root}/${mutatedFile}`, tests }, everyTest, root);

describe('the test files of a mutant', () => {
  it('are those whose tests reach it, with these tests alone, the likeliest to fail first', () => {
    expect(filesFor('lib/outbox/commit.ts', ['begin 1', 'batch 1', 'batch 3'])).toEqual([
      ['/project/test/pipeline/batch.test.ts', ['batch 1', 'batch 3']],
      ['/project/test/pipeline/begin.test.ts', ['begin 1']],
    ]);
  });

  it('begin with the one of the same name', () => {
    expect(filesFor('lib/dynamodb/keys.ts', ['batch 1', 'batch 2', 'keys 1'])).toEqual([
      ['/project/test/dynamodb/keys.test.ts', ['keys 1']],
      ['/project/test/pipeline/batch.test.ts', ['batch 1', 'batch 2']],
    ]);
  });

  it.each([
    ['lib/dynamodb/keys.ts', '/project/test/dynamodb/keys.test.ts'],
    ['lib/saga/item/read-saga-item.dynamodb.ts', '/project/test/saga/locks.dynamodb.test.ts'],
  ])('use its service, or none: of %s', (mutatedFile, file) => {
    expect(filesFor(mutatedFile, ['keys 1', 'locks 1']).map(([name]) => name)).toEqual([file]);
  });

  it('are all of its folder when it acts while its module loads', () => {
    expect(filesFor('lib/pipeline/begin.ts')).toEqual([
      ['/project/test/pipeline/begin.test.ts', ['begin 1']],
      ['/project/test/pipeline/batch.test.ts', ['batch 1', 'batch 2', 'batch 3']],
    ]);
  });
});

const configOf = async (file: string) => (await import(`./${file}`)).default;
const mutated: string[] = (await configOf('stryker.config.js')).mutate;
const tests: string[] = (await configOf('jest.config.js')).testMatch;

it.each([...mutated, ...tests.map((pattern) => pattern.replace('<rootDir>/', ''))])(
  'each name of a pattern is that of a file: %s',
  (pattern) => {
    const [, before = '', names = '', after = ''] = /^(.*?)\{(.*)\}(.*)$/.exec(pattern) ?? ['', pattern];
    for (const name of names.split(',')) {
      expect([name, globSync(`${before}${name}${after}`, { cwd: repository }).length]).not.toEqual([name, 0]);
    }
  },
);

it('counts the mutants of each folder and of all, without those that no test could be run with', () => {
  const fileWith = (...statuses: ('Killed' | 'Timeout' | 'Survived' | 'NoCoverage' | 'RuntimeError')[]) => ({
    mutants: statuses.map((status) => ({ status })),
  });
  const files = {
    'lib/pipeline/begin.ts': fileWith('Killed', 'Survived', 'RuntimeError'),
    'lib/kernel/a/b.ts': fileWith('Killed', 'Timeout', 'NoCoverage'),
    'lib/dynamodb/keys.ts': fileWith('Killed'),
  };
  expect(folderTable({ files }).split('\n').slice(2)).toEqual([
    '| lib/dynamodb | 1 | 1 | 0 | 0 | 0 | 100.0 % |',
    '| lib/kernel | 3 | 1 | 1 | 0 | 1 | 66.7 % |',
    '| lib/pipeline | 2 | 1 | 0 | 1 | 0 | 50.0 % |',
    '| all | 6 | 3 | 1 | 1 | 1 | 66.7 % |',
  ]);
});
