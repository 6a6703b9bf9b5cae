import { describe, expect, it } from '@jest/globals';
import { readSources } from '../support/source-files.ts';
import { blocksOfDocstrings } from './code-blocks.ts';

const ofDocstrings = blocksOfDocstrings();

describe('the docstrings', () => {
  const sources = readSources('lib');

  it('hold code in each @example', () => {
    const examples = sources.flatMap(({ path, text }) => [...text.matchAll(/@example/g)].map(() => path));
    expect(ofDocstrings.map(({ path }) => path)).toEqual(examples);
  });

  it('of what users import show how: every function and class has an @example', () => {
    const functions = publicFunctions();
    expect(functions.map(({ name }) => name)).toContain('lib/index.ts: defineSaga');
    expect(functions.filter(({ documented }) => !documented)).toEqual([]);
  });

  /** What the index files export by value, when it is a function or a class. */
  function publicFunctions(): { name: string; documented: boolean }[] {
    const indexes = sources.filter(({ path }) => /^lib\/(\w+\/)?index\.ts$/.test(path));
    return indexes.flatMap(({ path, code }) => {
      const folder = path.slice(0, path.lastIndexOf('/'));
      return [...code.matchAll(/^export \{([^}]*)\} from '\.\/([^']+)'/gm)].flatMap(([, list = '', file]) => {
        const text = sources.find((source) => source.path === `${folder}/${file}`)?.text ?? '';
        const names = list
          .split(',')
          .map((name) => name.trim())
          .filter((name) => /^\w+$/.test(name));
        return names.flatMap((name) => {
          const declaration = new RegExp(
            `(/\\*\\*(?:(?!\\*/)[\\s\\S])*\\*/\\n)?export (?:async )?(?:function|class) ${name}\\b`,
          ).exec(text);
          return declaration
            ? [{ name: `${path}: ${name}`, documented: /@example/.test(declaration[1] ?? '') }]
            : [];
        });
      });
    });
  }
});
