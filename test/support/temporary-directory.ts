import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from '@jest/globals';

/** Makes a directory for the tests of the file. @returns the path of a file in it */
export function temporaryDirectory(): (...names: string[]) => string {
  let directory = '';
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'sagabox-test-'));
  });
  afterAll(() => rm(directory, { recursive: true }));
  return (...names) => join(directory, ...names);
}
