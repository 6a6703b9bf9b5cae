import { beforeAll, describe, expect, it } from '@jest/globals';
import { blocksOfDocstrings, blocksOfPages, type CodeBlock } from './code-blocks.ts';
import { typeCheck } from './type-check.ts';

const ofPages = blocksOfPages();
const ofDocstrings = blocksOfDocstrings();
const wrong: CodeBlock = {
  path: 'wrong.md',
  line: 7,
  code: "import { createHandler } from 'sagabox';\ncreateHandler(1);\n",
};

const named = (blocks: readonly CodeBlock[]) => {
  return blocks.map((block) => [`${block.path}:${block.line}`, block] as const);
};

describe('the code in the documentation', () => {
  let errors: ReturnType<typeof typeCheck>;

  beforeAll(() => {
    errors = typeCheck([...ofPages, ...ofDocstrings, wrong]);
  });

  it('is found', () => {
    expect(ofPages.some(({ path }) => path === 'README.md')).toBe(true);
    expect(ofDocstrings.length).toBeGreaterThan(5);
  });

  it('is really checked: a wrong block is told by its page and line', () => {
    expect(errors.get(wrong)).toEqual([expect.stringMatching(/^wrong\.md:8: error TS\d+: .*'number'/)]);
    expect(errors.get(undefined)).toBeUndefined();
  });

  it.each(named(ofPages))('compiles: %s', (_place, block) => {
    expect(errors.get(block) ?? []).toEqual([]);
  });

  it.each(named(ofDocstrings))('compiles: %s', (_place, block) => {
    expect(errors.get(block) ?? []).toEqual([]);
  });
});
