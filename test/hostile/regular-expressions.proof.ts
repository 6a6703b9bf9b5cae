import { describe, expect, it } from '@jest/globals';
import { parseSync, type RegExpLiteral } from '@swc/core';
import fc from 'fast-check';
import { readSources } from '../support/source-files.ts';
import { growthOver, Yardstick } from './growth.ts';

/** They read the code or the settings of an app when it is built: nobody outside writes a word of them. */
const ofTheAppAlone: Readonly<Record<string, readonly string[]>> = {
  'lib/constructs/endpoint/exported-handler.ts': [
    String.raw`^[^\S\n]*(?:\/\/[^${'`'}\n]*$|\/\*[^${'`'}]*?\*\/)`,
  ],
};

/** Those that are made at run time are in functions that `linear-functions.test.ts` calls, or of the app alone. */
const madeAtRunTime = [
  'lib/constructs/subscriptions/allowed-sources.ts',
  'lib/kernel/errors/secrets.ts',
  'lib/local/engines/local-request.ts',
  'lib/local/lambda/needed-packages.ts',
  'lib/local/streams/stream-mapping.ts',
  'lib/patterns/scatter-gather/address.ts',
];

const sources = readSources('lib');

interface Expression {
  readonly expression: RegExp;
  readonly path: string;
}

const expressions = sources.flatMap(({ path, text }): Expression[] =>
  literalsIn(text).flatMap(({ pattern, flags }) => {
    if (ofTheAppAlone[path]?.includes(pattern)) return [];
    return [{ expression: new RegExp(pattern, flags), path }];
  }),
);
const runtime = /^lib\/(?!cli|local|constructs|capacity|testing|charts)\w+\//;

function literalsIn(code: string): RegExpLiteral[] {
  const found: RegExpLiteral[] = [];
  const visit = (node: unknown) => {
    if (typeof node !== 'object' || node === null) return;
    if ('type' in node && node.type === 'RegExpLiteral') found.push(node as RegExpLiteral);
    for (const child of Object.values(node)) visit(child);
  };
  visit(parseSync(code, { syntax: 'typescript', target: 'es2023' }).body);
  return found;
}

/** Texts that begin as something that fits, repeat a part of it or one character, and end in what fits nothing. */
function attacks({ source, flags }: RegExp): ((size: number) => string)[] {
  const characters = new Set(`${source.replace(/[\\^$.*+?()[\]{}|]/g, '')}a0 \n./"=\u0000`);
  const repeated = [...characters].flatMap((character) =>
    [
      ['', ''],
      ['', '\u0000'],
      ['x!', 'x!'],
    ].map(
      ([begin, end]) =>
        (size: number) =>
          `${begin}${character.repeat(size)}${end}`,
    ),
  );
  return [...repeated, ...fitting(source, flags).flatMap(withRepeatedParts)];
}

function withRepeatedParts(text: string): ((size: number) => string)[] {
  const places = Array.from({ length: Math.min(text.length, 12) }, (_, start) => start);
  return places.flatMap((start) =>
    [1, 2].flatMap((length) => {
      const part = text.slice(start, start + length);
      const [before, after] = [text.slice(0, start), text.slice(start + length)];
      const repeated = (size: number) => before + part.repeat(Math.ceil(size / part.length));
      return [
        (size: number) => `${repeated(size)}${after}\u0000`,
        (size: number) => `${repeated(size)}\u0000`,
      ];
    }),
  );
}

/** None for what fast-check does not know yet, such as `\b`, or lists all characters of Unicode for. */
function fitting(source: string, flags: string): string[] {
  if (flags.includes('u')) return [];
  try {
    const text = fc.stringMatching(new RegExp(source));
    return [...new Set(fc.sample(text, { seed: 42, numRuns: 2 }))];
  } catch {
    return [];
  }
}

/** All that is looked for in a text. */
function search(expression: RegExp, text: string): void {
  expression.lastIndex = 0;
  if (expression.global) text.replaceAll(expression, '');
  else expression.exec(text);
}

/** What an expression takes longer for than the text is long; undefined if there is nothing. */
function slowestOn(expression: RegExp, yardstick: Yardstick): string | undefined {
  const slowest = attacks(expression).find((attack) =>
    yardstick.isExceeded((size) => {
      const text = attack(size);
      return () => search(expression, text);
    }),
  );
  return slowest?.(12);
}

describe('the regular expressions of lib', () => {
  it('are found', () => {
    expect(expressions.length).toBeGreaterThan(100);
    const made = sources.filter(({ code }) => /\bRegExp\(/.test(code.replace('isRegExp', '')));
    expect(made.map(({ path }) => path)).toEqual(madeAtRunTime);
  });

  it('take no more time than a text is long, whoever wrote it', () => {
    const yardstick = new Yardstick();
    const slow = expressions.flatMap(({ expression, path }) => {
      const text = slowestOn(expression, yardstick);
      return text === undefined ? [] : [`${path}: ${expression} on ${JSON.stringify(text)}`];
    });
    expect(slow).toEqual([]);
  });

  it('of the runtime read texts of the largest event', () => {
    const largest = 6 * 1024 * 1024;
    for (const { expression } of expressions.filter(({ path }) => runtime.test(path))) {
      const [text = ''] = fitting(expression.source, expression.flags);
      const last = text.at(-2) ?? text.at(-1) ?? 'a';
      expect(() => search(expression, `${text}${last.repeat(largest)}${text}`)).not.toThrow();
    }
  });
});

describe('the search for slow regular expressions', () => {
  const yardstick = new Yardstick();

  it.each([
    /^0+|0+$/g,
    /(?:"(?:[^"]|"")*"\.?)+ = \?/,
    /\n\s+at /,
    /([^/]+)\/aws4_request/,
    /^(.*),(.*),(.*)!$/s,
  ])('finds %s', (expression) => {
    expect(slowestOn(expression, yardstick)).toBeDefined();
  });

  it.each([/^0+|(?<!0)0+$/g, /\n +at /, /^([^=]+)=(.*)$/s])('does not find %s', (expression) => {
    expect(slowestOn(expression, yardstick)).toBeUndefined();
  });

  it('tells what grows by its square', () => {
    const callFor = (expression: RegExp) => (size: number) => {
      const text = `${'0'.repeat(size)}1`;
      return () => text.replace(expression, '');
    };
    expect(growthOver(callFor(/0+$/), 16 * 1024)).toBeGreaterThan(96);
    expect(growthOver(callFor(/(?<!0)0+$/), 1024 * 1024)).toBeUndefined();
  });
});
