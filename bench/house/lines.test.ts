import { describe, expect, it } from '@jest/globals';
import { linesByFolder, linesOf } from './lines.ts';
import { syntaxOf } from './syntax.ts';

const count = (text: string) => linesOf(text, syntaxOf(text));

describe('the lines of a file', () => {
  it.each<[what: string, text: string, code: number, comments: number, blank: number]>([
    ['code', 'const a = 1;\nconst b = 2;\n', 2, 0, 0],
    ['no newline at the end', 'const a = 1;', 1, 0, 0],
    ['a blank line, and one of spaces', 'const a = 1;\n\n  \nconst b = 2;\n', 2, 0, 2],
    ['a comment beside code', 'const a = 1; // one\n', 1, 0, 0],
    ['a comment alone', '// one\nconst a = 1;\n', 1, 1, 0],
    ['a docstring with a blank line', '/**\n * One.\n\n * Two.\n */\nconst a = 1;\n', 1, 4, 1],
    ['code behind the end of a comment', '/* one\n two */ const a = 1;\n', 1, 1, 0],
    ['slashes in a string', "const a = 'http://b';\nconst c = '/*';\nconst d = '*/';\n", 3, 0, 0],
    ['a quote in a comment', "// it's\nconst a = 'b';\n// isn't\n", 1, 2, 0],
    ['slashes in a regular expression', 'const a = /[/*]\\/\\//;\nconst b = /\\*\\//;\n', 2, 0, 0],
    ['a division', 'const a = 4 / 2; // b\nconst b = a / 2;\n', 2, 0, 0],
    ['a comment in a template', 'const a = `\n// b\n/* c */\n`;\n', 4, 0, 0],
    ['a comment within an expression of a template', `const a = \`b \${\n  // c\n  1\n}\`;\n`, 3, 1, 0],
    ['a template in a type', `type A = \`//\${string}\`;\n`, 1, 0, 0],
    [
      'letters of several bytes before it',
      "// µ\nconst a = 'é😀é😀';\nconst b = '/*';\nconst c = 1;\nconst d = '*/';\n",
      4,
      1,
      0,
    ],
  ])('with %s are told apart', (_what, text, code, comments, blank) => {
    expect(count(text)).toEqual({ files: 1, code, comments, blank });
  });

  it('are not counted in what is no TypeScript', () => {
    expect(() => count('const = ;')).toThrow();
  });
});

it('the lines of a folder are those of its files, and below its depth those of all folders in it', () => {
  const one = { files: 1, code: 1, comments: 2, blank: 3 };
  const paths = ['lib/b/c/d.ts', 'lib/b/e.ts', 'lib/a.ts'];
  const lines = new Map(paths.map((path) => [path, one]));
  const two = { files: 2, code: 2, comments: 4, blank: 6 };
  expect(linesByFolder(lines, 2)).toEqual({ lib: one, 'lib/b': two });
  expect(linesByFolder(lines, 3)).toEqual({ lib: one, 'lib/b': one, 'lib/b/c': one });
});
