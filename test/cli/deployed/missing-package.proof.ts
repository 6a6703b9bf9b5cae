import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { cp, mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, it } from '@jest/globals';
import { repository } from '../../support/source-files.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';

const missing = 'client-cloudformation';
/** The command line where all packages are installed but one. */
const project = temporaryDirectory();

beforeAll(async () => {
  for (const path of ['lib', 'bin', 'package.json']) {
    await cp(join(repository, path), project(path), { recursive: true });
  }
  await mkdir(project('node_modules/@aws-sdk'), { recursive: true });
  const link = (path: string) => symlink(join(repository, path), project(path));
  const entriesOf = (path: string) => readdirSync(join(repository, path)).map((name) => join(path, name));
  const packages = [...entriesOf('node_modules'), ...entriesOf('node_modules/@aws-sdk')];
  const without = ['node_modules/@aws-sdk', `node_modules/@aws-sdk/${missing}`];
  for (const path of packages.filter((each) => !without.includes(each))) await link(path);
});

it.each(['relay', 'redrive'])('sagabox %s --stack names the package that it needs', (command) => {
  const args = [project('bin/sagabox.ts'), command, '--stack', 'Shop', '--endpoint', 'orders'];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  expect([status, stdout]).toEqual([2, '']);
  expect(stderr).toContain(
    `error: @aws-sdk/${missing}: reading the outputs of a stack needs this optional peer dependency, ` +
      `which is not installed. Run 'npm install @aws-sdk/${missing}'.`,
  );
});
