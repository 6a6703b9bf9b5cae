import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach } from '@jest/globals';

type InDirectory = (...names: string[]) => string;

/** Makes a directory for the tests of the file. @returns the path of a file in it */
export function temporaryDirectory(): InDirectory {
  return directoryFor(beforeAll, afterAll);
}

/** Makes a directory for each test, gone after its hooks if this is called outside of them. */
export function directoryOfTest(): InDirectory {
  return directoryFor(beforeEach, afterEach);
}

function directoryFor(before: typeof beforeEach, after: typeof afterEach): InDirectory {
  let directory = '';
  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'sagabox-test-'));
  });
  after(() => rm(directory, { recursive: true, force: true }));
  return (...names) => join(directory, ...names);
}
