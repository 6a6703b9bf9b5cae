import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import {
  acceptanceTests,
  invariants,
  misnamed,
  specification,
  specificationPage,
} from './specification-page.ts';
import { testTitles } from './test-titles.ts';

describe('the acceptance tests', () => {
  const tests = acceptanceTests();

  it('begin with the invariants that they show, or with Behaviour, Cost or Command', () => {
    expect(tests.length).toBeGreaterThan(100);
    expect(misnamed(tests)).toEqual([]);
  });

  it('show each invariant', () => {
    const shown = new Set(tests.flatMap(({ shows }) => shows));
    expect([...invariants().keys()].filter((name) => !shown.has(name))).toEqual([]);
  });

  it.each([
    ['an invariant that does not exist', ['I1', 'I9']],
    ['another word', ['Speed']],
    ['a word beside an invariant', ['Cost', 'I1']],
    ['neither', []],
  ])('are found when they begin with %s', (_what, shows) => {
    const test = { file: 'a.test.ts', shows, situation: 'a message', holds: 'commits' };
    expect(misnamed([test, { ...test, shows: ['I1', 'I8'] }, { ...test, shows: ['Cost'] }])).toEqual([test]);
  });

  it('stand in docs/proof/specification.md: run test/docs/specification-page.ts when they do not', () => {
    expect(readFileSync(specificationPage, 'utf8')).toBe(specification());
  });
});

describe('the titles of tests in a source', () => {
  it('are those of it and test, below those of describe', () => {
    const code = `
      it('stands alone', () => {});
      describe.each(cases)('I1: a message', ({ name }: Case) => {
        beforeEach(() => open('a table'));
        describe('of $name', () => {
          it.each<string>(['a'])('commits %s', async () => {});
        });
        test('is read', check);
      });
    `;
    expect(testTitles(code)).toEqual([
      { situations: [], holds: 'stands alone' },
      { situations: ['I1: a message', 'of $name'], holds: 'commits %s' },
      { situations: ['I1: a message'], holds: 'is read' },
    ]);
  });

  it('are refused when they are computed', () => {
    expect(() => testTitles("it(nameOf('x'), () => {});")).toThrow('The title of a test is no string');
  });
});
