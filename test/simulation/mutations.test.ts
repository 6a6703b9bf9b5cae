import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { repository } from '../support/source-files.ts';
import { changeoverMutations } from './changeover-mutations.ts';
import { embeddedMutations } from './embedded-mutations.ts';
import { mutate } from './mutated-build.ts';
import { mutations } from './mutations.ts';

describe('a mutation', () => {
  const [mutation] = mutations;
  if (mutation === undefined) throw new Error('There is no mutation');

  it.each([...mutations, ...embeddedMutations, ...changeoverMutations])(
    'has its piece in the source exactly once: $name',
    async (each) => {
      const source = await readFile(join(repository, each.file), 'utf8');
      const mutated = mutate(source, each, each.name);
      expect(mutated).not.toBe(source);
      expect(mutated).toHaveLength(source.length - each.piece.length + each.becomes.length);
    },
  );

  it.each([
    ['no piece', '', '0 times'],
    ['two', `${mutation.piece} ${mutation.piece}`, '2 times'],
  ])('is refused for a source with %s', (_what, source, told) => {
    expect(() => mutate(source, mutation, mutation.name)).toThrow(told);
  });
});
