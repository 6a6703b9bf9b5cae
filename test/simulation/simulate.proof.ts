import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { repository } from '../support/source-files.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const inFolder = temporaryDirectory();

async function simulate(...args: string[]): Promise<{ stdout: string; stderr: string }> {
  const script = ['--conditions=sagabox-source', join('test', 'simulation', 'simulate.ts')];
  return await promisify(execFile)(process.execPath, [...script, ...args], { cwd: repository });
}

describe('npm run simulate', () => {
  it('tells the seed, what was covered and the result, and writes it to a file', async () => {
    const file = inFolder('result.json');
    const { stdout, stderr } = await simulate('--seed', '3', '--runs', '25', '--json', file);
    expect(stderr).toContain('Seed 3, 25 runs');
    expect(stdout).toMatch(/^ {2}commits +\d+$/m);
    expect(stdout).toMatch(/^25 runs of seed 3 in [\d.]+ s\nOK\n$/m);
    expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({
      seed: 3,
      mode: 'all',
      outbox: 'records',
      runs: 25,
      coverage: { commits: expect.any(Number) },
      failure: null,
    });
  });

  it('refuses what it does not understand', async () => {
    await expect(simulate('--runs', 'many')).rejects.toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--runs takes a whole number'),
    });
  });
});
