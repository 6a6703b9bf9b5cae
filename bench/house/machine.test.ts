import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { directoryOfTest } from '../../test/support/temporary-directory.ts';
import { waitUntil } from '../../test/support/wait-until.ts';
import { installedBelow } from './installed.ts';
import { processorSecondsIn, timeOf } from './test-run.ts';

const inDirectory = directoryOfTest();
const { signal } = new AbortController();

describe('what is installed', () => {
  const lock = {
    '': {},
    site: {},
    'node_modules/a': {},
    'node_modules/a/node_modules/bundled': { inBundle: true },
    'node_modules/of-another-platform': { optional: true },
    'node_modules/site': { resolved: 'site', link: true },
    'site/node_modules/b': {},
  };
  const write = async (path: string, kibibytes: number) => {
    await mkdir(inDirectory(path), { recursive: true });
    await writeFile(inDirectory(path, 'package.json'), '{}');
    await writeFile(inDirectory(path, 'content'), Buffer.alloc(kibibytes * 1024, 'x'));
  };
  beforeEach(() => writeFile(inDirectory('package-lock.json'), JSON.stringify({ packages: lock })));

  it('is what npm counts, in all folders, without what tools keep there', async () => {
    for (const path of ['', 'site', 'node_modules/a/node_modules/bundled']) await write(path, 0);
    for (const path of ['node_modules/a', 'site/node_modules/b']) await write(path, 1500);
    await symlink('../site', inDirectory('node_modules/site'));
    await write('node_modules/.cache', 3000);
    expect(await installedBelow(inDirectory())).toEqual({ packages: 3, mebibytes: 3 });
  });

  it('is refused where nothing is', async () => {
    await expect(installedBelow(inDirectory())).rejects.toThrow(/npm ci/);
  });
});

describe('the time of a command', () => {
  it.each([
    ['0m0.01s 0m0.02s\n0m1.50s 0m0.25s\n', 1.75],
    ['0m0.01s 0m0.02s\n16m2.500s 1m31.00s\n', 962.5 + 91],
  ])('of its processes is read from %j', (times, seconds) => {
    expect(processorSecondsIn(times)).toBeCloseTo(seconds);
  });

  it.each(['', '0m0.01s 0m0.02s\n', 'nothing\nof the kind\n'])('is missing in %j', (times) => {
    expect(() => processorSecondsIn(times)).toThrow(/no times/);
  });

  it('is that of what it starts, however deep', async () => {
    const spin = 'const end = process.cpuUsage().user + 3e5; while (process.cpuUsage().user < end);';
    const { seconds, processorSeconds } = await timeOf(
      `sh -c '"${process.execPath}" -e "${spin}"; true'`,
      signal,
    );
    expect(processorSeconds).toBeGreaterThanOrEqual(0.29);
    expect(seconds).toBeGreaterThanOrEqual(0.29);
  });

  it('is worth nothing if it fails', async () => {
    await expect(timeOf('exit 3', signal)).rejects.toThrow("'exit 3' failed with exit code 3");
  });

  it('ends with all that it started when it is interrupted', async () => {
    const file = inDirectory('child');
    const child = `trap "echo ended >${file}; exit" TERM; echo ready >${file}; for i in $(seq 50); do sleep 0.1; done`;
    const said = async (word: string) => (await readFile(file, 'utf8').catch(() => '')).trim() === word;
    const interruption = new AbortController();
    const timed = timeOf(`sh -c '${child}'; true`, interruption.signal);
    await waitUntil(() => said('ready'));
    interruption.abort();
    await expect(timed).rejects.toMatchObject({ name: 'AbortError' });
    await waitUntil(() => said('ended'));
  });
});
