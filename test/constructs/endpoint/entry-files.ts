import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll } from '@jest/globals';
import { repository } from '../../support/source-files.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';

/** A project of its own for the tests of a file, with the packages of this one: its entries, and paths in it. */
export function entryFiles() {
  const project = temporaryDirectory();
  let count = 0;

  beforeAll(() => {
    mkdirSync(project('src'));
    symlinkSync(join(repository, 'node_modules'), project('node_modules'));
    writeFileSync(project('package-lock.json'), '{}');
  });

  const entryOf = (source: string, ending = 'ts'): string => {
    count += 1;
    const entry = project('src', `entry-${count}.${ending}`);
    writeFileSync(entry, source);
    return entry;
  };
  return { project, entryOf };
}
