import { expect, it } from '@jest/globals';
import type { House } from './measure.ts';
import { houseTable } from './table.ts';

const lines = { files: 2, code: 1200, comments: 30, blank: 4 };
const frame = { name: 'begin', place: 'lib/a.ts:1' };
const size = { kB: 130.04, gzipKB: 45 };

const house: House = {
  lines,
  folders: { 'lib/constructs': { files: 1, code: 5, comments: 0, blank: 0 } },
  subfolders: {},
  changes: {
    'a prop': ['lib/constructs/a.ts', 'lib/b.ts'],
    'a way out': ['lib/b.ts'],
    'an error': ['lib/b.ts'],
    'a retry rule': ['lib/b.ts'],
    'a stored attribute': ['lib/b.ts'],
  },
  sharedState: [{ field: 'span', declaredIn: ['lib/a.ts'], assignedIn: ['lib/b.ts'] }],
  loneImports: ['lib/a.ts'],
  repeatedNames: { 'a.ts': ['lib/a.ts', 'lib/b/a.ts'] },
  pages: { changelogBytes: 3049, lines: { users: 9000, maintainers: 2000 } },
  warmPath: {
    toFirstCall: [frame, { ...frame, name: '' }],
    toSend: [frame],
    filesOfRecord: ['lib/a.ts'],
    filesOfRequest: [],
  },
  bundle: { size, loadMs: { sagabox: 12, powertools: 10 } },
  installed: { packages: 450, mebibytes: 600 },
  testRun: { seconds: 120.4, processorSeconds: 240.6 },
};

const nowOf = (what: RegExp, of: House) => {
  const row = houseTable(of)
    .split('\n')
    .find((line) => what.test(line));
  return row?.split(' | ')[1]?.replace(/ \|$/, '');
};

it.each<[what: RegExp, now: string]>([
  [/^\| lib: /, '1,200 (and 30 of comments, 4 blank) / 2'],
  [/^\| constructs: /, '5 (and 0 of comments, 0 blank) / 1'],
  [/on the stack/, '2 (1 with a name), and 1 (1 with a name)'],
  [/touches/, '1 / 0'],
  [/name maxConcurrency/, '1'],
  [/another file assigns/, '1: span'],
  [/minified/, '130.0 kB / 45.0 kB'],
  [/^\| load/, '12 ms against 10 ms, 1.200 times'],
  [/^\| CHANGELOG/, '3.0 kB'],
  [/^\| install/, '450 / 600 MiB'],
  [/^\| npm test/, '241 s / 120 s'],
])('the row of %s says %j', (what, now) => {
  expect(nowOf(what, house)).toBe(now);
});

it('the rows say what there is none of, and how to get what is not measured', () => {
  const less: House = {
    ...house,
    sharedState: [],
    bundle: { ...house.bundle, loadMs: undefined },
    testRun: undefined,
  };
  expect(nowOf(/another file assigns/, less)).toBe('0: none');
  expect(nowOf(/^\| load/, less)).toMatch(/Powertools is not installed.*npm run bench/);
  expect(nowOf(/^\| npm test/, less)).toMatch(/--test/);
});
