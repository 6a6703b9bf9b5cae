import { describe, expect, it } from '@jest/globals';
import { coveringFiles, type TestOfFile } from './covering-files.ts';

const root = '/project';
const everyTest: TestOfFile[] = [
  ['begin 1', '/project/test/flow/begin.test.ts'],
  ['batch 1', '/project/test/flow/batch.test.ts'],
  ['batch 2', '/project/test/flow/batch.test.ts'],
  ['keys 1', '/project/test/core/storage/keys.test.ts'],
  ['batch 3', '/project/test/flow/batch.test.ts'],
  ['locks 1', '/project/test/adapters/dynamodb/locks.test.ts'],
];

const filesFor = (mutatedFile: string, tests?: string[]) =>
  coveringFiles({ mutatedFile: `${root}/${mutatedFile}`, tests }, everyTest, root);

describe('the test files of a mutant', () => {
  it('are those whose tests reach it, with these tests alone, the likeliest to fail first', () => {
    expect(filesFor('lib/core/outbox/commit.ts', ['begin 1', 'batch 1', 'batch 3'])).toEqual([
      ['/project/test/flow/batch.test.ts', ['batch 1', 'batch 3']],
      ['/project/test/flow/begin.test.ts', ['begin 1']],
    ]);
  });

  it('begin with the one of the same name', () => {
    expect(filesFor('lib/core/storage/keys.ts', ['batch 1', 'batch 2', 'keys 1'])).toEqual([
      ['/project/test/core/storage/keys.test.ts', ['keys 1']],
      ['/project/test/flow/batch.test.ts', ['batch 1', 'batch 2']],
    ]);
  });

  it.each([
    ['lib/core/storage/keys.ts', '/project/test/core/storage/keys.test.ts'],
    ['lib/adapters/dynamodb/saga/saga-item.ts', '/project/test/adapters/dynamodb/locks.test.ts'],
  ])('are on its side of the ports: of %s', (mutatedFile, file) => {
    expect(filesFor(mutatedFile, ['keys 1', 'locks 1']).map(([name]) => name)).toEqual([file]);
  });

  it('are all of its folder when it acts while its module loads', () => {
    expect(filesFor('lib/flow/begin.ts')).toEqual([
      ['/project/test/flow/begin.test.ts', ['begin 1']],
      ['/project/test/flow/batch.test.ts', ['batch 1', 'batch 2', 'batch 3']],
    ]);
  });
});
