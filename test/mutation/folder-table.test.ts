import { expect, it } from '@jest/globals';
import { folderTable } from './folder-table.ts';
import type { Mutant, MutatedFile } from './report.ts';

const location = { start: { line: 1, column: 1 }, end: { line: 1, column: 2 } };

function fileWith(...statuses: Mutant['status'][]): MutatedFile {
  return { source: '', mutants: statuses.map((status) => ({ mutatorName: 'm', status, location })) };
}

it('counts the mutants of each folder and of all, and leaves out what no test could be run with', () => {
  const files = {
    'lib/flow/begin.ts': fileWith('Killed', 'Survived', 'RuntimeError'),
    'lib/core/a/b.ts': fileWith('Killed', 'Timeout', 'NoCoverage'),
    'lib/core/storage/keys.ts': fileWith('Killed', 'Ignored'),
  };
  expect(folderTable({ files }).split('\n').slice(2)).toEqual([
    '| lib/core | 4 | 2 | 1 | 0 | 1 | 75.0 % |',
    '| lib/flow | 2 | 1 | 0 | 1 | 0 | 50.0 % |',
    '| all | 6 | 3 | 1 | 1 | 1 | 66.7 % |',
  ]);
});
