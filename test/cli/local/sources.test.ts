import { mkdir, open, utimes, writeFile } from 'node:fs/promises';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { changedSources, type SourceStamps, sourceStamps } from '../../../lib/cli/local/watch/sources.ts';
import { directoryOfTest } from '../../support/temporary-directory.ts';

const temporary = directoryOfTest();
const stamps = (written: number[] = []): Promise<SourceStamps> =>
  sourceStamps({ directory: temporary(), output: temporary('out'), written });
const others = ['node_modules/a', 'lambdas/node_modules', '.git', 'out', 'dist'];

beforeEach(async () => {
  for (const folder of ['lambdas/deep', ...others]) {
    await mkdir(temporary(folder), { recursive: true });
    await writeFile(temporary(folder, 'file.ts'), 'before');
  }
});

describe('sources', () => {
  it('are files of all folders, but not those of packages, of builds, of the output, hidden ones and logs', async () => {
    const before = await stamps();
    for (const folder of others) await writeFile(temporary(folder, 'new.ts'), '');
    for (const name of ['run.log', 'output', 'events.ndjson']) await writeFile(temporary(name), '');
    expect(await stamps()).toEqual(before);
    await utimes(temporary('lambdas/deep/file.ts'), 1, 1);
    await writeFile(temporary('lambdas/new.yaml'), '');
    const paths = [temporary('lambdas/deep/file.ts'), temporary('lambdas/new.yaml')];
    expect(changedSources(before, await stamps()).toSorted()).toEqual(paths);
  });

  it('are not what this process writes its output to', async () => {
    const file = await open(temporary('log.json'), 'w');
    const before = await stamps([file.fd]);
    await file.write('{}');
    expect(await stamps([file.fd])).toEqual(before);
    expect(await stamps()).not.toEqual(before);
    await file.close();
  });
});
