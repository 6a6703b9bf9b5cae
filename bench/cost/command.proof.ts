import { readFile } from 'node:fs/promises';
import { describe, expect, it } from '@jest/globals';
import { temporaryDirectory } from '../../test/support/temporary-directory.ts';
import { BenchProcess } from '../bench-process.ts';
import { contenderNames } from './contenders.ts';
import { cases } from './figures.ts';

const measurement = new BenchProcess('cost.ts');
const inDirectory = temporaryDirectory();

describe('npm run cost', () => {
  it('prints a table, and writes the figures', async () => {
    const file = inDirectory('cost.json');
    const load = ['--messages', '1', '--batches', '1', '--seed', '5'];
    const { stdout, stderr } = await measurement.run(...load, '--json', file);
    expect(stderr).toContain('Starting DynamoDB');
    expect(stdout).toMatch(/^N=10 +4 +4 +6 /m);
    expect(stdout).toMatch(/\bOK\n$/);
    const units = {
      calls: expect.any(Number),
      rcu: expect.any(Number),
      wcu: expect.any(Number),
      refusedWcu: 0,
    };
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual(
      Object.fromEntries(
        cases.map((name) => [
          name,
          Object.fromEntries(contenderNames.map((contender) => [contender, units])),
        ]),
      ),
    );
  });
});
