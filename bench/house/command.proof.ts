import { readFile } from 'node:fs/promises';
import { expect, it } from '@jest/globals';
import { temporaryDirectory } from '../../test/support/temporary-directory.ts';
import { BenchProcess } from '../bench-process.ts';
import type { House } from './measure.ts';

const house = new BenchProcess('house.ts');
const inDirectory = temporaryDirectory();

it('npm run house measures every row but the times of tests, and writes the names behind the counts', async () => {
  const file = inDirectory('house.json');
  const { stdout, stderr } = await house.run('--json', file);
  const [table = '', folders] = stdout.split('\n\n');
  const rows = table.split('\n');
  expect(rows.filter((row) => row.includes('not measured'))).toEqual([
    expect.stringContaining('docstrings'),
    expect.stringContaining('pass --test'),
    expect.stringContaining('.ci/run'),
  ]);
  expect(rows).toHaveLength(19);
  expect(folders).toMatch(/^lib\/kernel +\d/m);
  expect(stderr).toContain('Reading lib');

  const {
    warmPath,
    folders: byFolder,
    subfolders,
    lines,
  } = JSON.parse(await readFile(file, 'utf8')) as House;
  for (const sums of [byFolder, subfolders]) {
    expect(Object.values(sums).reduce((sum, { code }) => sum + code, 0)).toBe(lines.code);
  }
  const namesOf = (chain: House['warmPath']['toSend']) => chain.map(({ name }) => name);
  expect(namesOf(warmPath.toFirstCall)).toEqual(expect.arrayContaining(['runDelivery', 'open', 'find']));
  expect(warmPath.toFirstCall[0]?.place).toMatch(/^lib\/compose\/batch-handler\.ts:/);
  expect(warmPath.toSend.at(-1)?.place).toMatch(/^lib\/sending\/transports\//);
  expect(warmPath.filesOfRecord).toEqual(
    expect.arrayContaining(['lib/pipeline/open.ts', 'lib/pipeline/complete.ts']),
  );
  expect(warmPath.filesOfRequest).toContain('lib/session/line/session.ts');
  const ofTools = [...warmPath.filesOfRecord, ...warmPath.filesOfRequest].filter((path) =>
    /^lib\/(testing|local)\//.test(path),
  );
  expect(ofTools).toEqual([]);
}, 120_000);
