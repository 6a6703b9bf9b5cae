import { mkdir, utimes, writeFile } from 'node:fs/promises';
import { expect, it } from '@jest/globals';
import { sourceFingerprint } from '../../../lib/cli/local/watch/sources.ts';
import { directoryOfTest } from '../../support/temporary-directory.ts';

const temporary = directoryOfTest();

it('sources are files of all folders, but not those of packages, of builds, of the output, hidden ones and logs', async () => {
  const others = ['node_modules/a', 'lambdas/node_modules', '.git', 'out', 'dist'];
  for (const folder of ['lambdas/deep', ...others]) {
    await mkdir(temporary(folder), { recursive: true });
    await writeFile(temporary(folder, 'file.ts'), 'before');
  }
  const fingerprint = () => sourceFingerprint(temporary(), temporary('out'));
  const before = await fingerprint();
  for (const folder of others) await writeFile(temporary(folder, 'new.ts'), '');
  expect(await fingerprint()).toBe(before);
  for (const name of ['run.log', 'output', 'events.ndjson']) await writeFile(temporary(name), '');
  expect(await fingerprint()).toBe(before);
  await utimes(temporary('lambdas/deep/file.ts'), 1, 1);
  const changed = await fingerprint();
  expect(changed).not.toBe(before);
  await writeFile(temporary('lambdas/new.ts'), '');
  expect(await fingerprint()).not.toBe(changed);
});
