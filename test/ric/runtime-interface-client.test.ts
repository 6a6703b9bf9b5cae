import { expect, it } from '@jest/globals';
import { directoryOfTest } from '../support/temporary-directory.ts';
import { assertCompilers } from './runtime-interface-client.ts';

const emptyFolder = directoryOfTest();

it('a machine without compilers is told what it lacks, and how to get it', async () => {
  const without = assertCompilers(new AbortController().signal, { PATH: emptyFolder() });
  await expect(without).rejects.toMatchObject({
    name: 'MissingPrerequisite',
    message:
      process.platform === 'linux'
        ? expect.stringMatching(/needs cmake, make, cc, .*apt-get install build-essential cmake/)
        : expect.stringMatching(/compiles on Linux only/),
  });
});
