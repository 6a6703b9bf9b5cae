import { join } from 'node:path';
import { compileFunction } from 'node:vm';
import { describe, expect, it } from '@jest/globals';
import { repository } from '../../test/support/source-files.ts';
import { callChains, fromDispatch } from './call-chains.ts';
import { touchedFiles } from './touched-files.ts';

/** What a script returns, which is run as if it were that file of the repository. */
function run<Exports>(path: string, code: string): Exports {
  return compileFunction(code, [], { filename: join(repository, path) })() as Exports;
}

type Call = (next: () => unknown) => Promise<unknown>;
const call = '(next) { return await next(); }';

describe('the functions that lead to a mark', () => {
  const begin = run<Call>('fixture/a.ts', `return async function begin${call};`);
  const look = run<Call>('fixture/b.ts', `return async function look${call};`);
  const nameless = run<Call>('fixture/c.ts', `return (() => async ${call.replace(')', ') =>')})();`);
  const outside = run<Call>('elsewhere/d.ts', `return async function outside${call};`);
  const chainOf = async (work: (mark: () => void) => Promise<unknown>) => {
    const chains = await callChains('fixture', (mark) => work(() => mark('call')));
    return chains.get('call')?.map(({ name, place }) => `${name} ${place}`);
  };

  it('are those of the folder, outermost first', async () => {
    const chain = await chainOf((mark) => begin(() => outside(() => nameless(() => look(mark)))));
    expect(chain).toEqual(['begin fixture/a.ts:1', ' fixture/c.ts:1', 'look fixture/b.ts:1']);
  });

  it('are found behind a wait', async () => {
    const wait = async (mark: () => void) => {
      await null;
      mark();
    };
    const chain = await chainOf((mark) => begin(() => look(() => wait(mark))));
    expect(chain).toEqual(['begin fixture/a.ts:1', 'look fixture/b.ts:1']);
  });

  it('are found where a call is made for somebody who waits for its answer', async () => {
    const chain = await chainOf((mark) =>
      begin(() => {
        const { promise, resolve } = Promise.withResolvers<unknown>();
        // Nobody awaits this one.
        void look(async () => {
          await new Promise(setImmediate);
          resolve(mark());
        });
        return promise;
      }),
    );
    expect(chain).toEqual(['begin fixture/a.ts:1', 'look fixture/b.ts:1']);
  });

  it('are counted once, however often they call', async () => {
    const chain = await chainOf((mark) => begin(() => look(() => begin(() => look(mark)))));
    expect(chain).toEqual(['begin fixture/a.ts:1', 'look fixture/b.ts:1']);
  });

  it('are those of the first mark of each name', async () => {
    const chain = await chainOf(async (mark) => [await begin(mark), await look(mark)]);
    expect(chain).toEqual(['begin fixture/a.ts:1']);
  });

  it('are told from the outermost one that dispatches', () => {
    const frames = ['commit', 'dispatchAll', 'send', 'dispatch', 'call'].map((name) => ({ name, place: '' }));
    expect(fromDispatch(frames)).toEqual(frames.slice(1));
    expect(() => fromDispatch(frames.slice(0, 1))).toThrow(/dispatch/);
  });
});

describe('the files that a call touches', () => {
  const pair = 'return { used() { return 1; }, unused() { return 2; } };';
  const [a, b, c] = ['fixture/a.ts', 'fixture/b.ts', 'elsewhere/c.ts'].map((path) =>
    run<Record<'used' | 'unused', () => number>>(path, pair),
  );

  it('are those of the folder with a function that runs, and not those which ran before', async () => {
    b?.used();
    const work = async () => [await null, a?.used(), c?.used()];
    expect(await touchedFiles('fixture', work)).toEqual(['fixture/a.ts']);
    expect(await touchedFiles('fixture', async () => b?.unused())).toEqual(['fixture/b.ts']);
    expect(await touchedFiles('fixture', async () => {})).toEqual([]);
  });
});
