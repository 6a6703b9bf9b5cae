import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { MessageEndpoint } from 'sagabox/constructs';
import { nearestLockFile } from '../../../lib/constructs/endpoint/entry-project.ts';
import type { FunctionProps } from '../../../lib/constructs/endpoint/function-props.ts';
import { expectViolation, unbundledStack } from '../support.ts';

const directory = mkdtempSync(join(tmpdir(), 'sagabox-entry-'));
const [project, outside] = [join(directory, 'project'), join(directory, 'outside')];
for (const each of [project, outside]) {
  mkdirSync(each);
  writeFileSync(join(each, 'handler.ts'), 'export const handler = () => {};');
}
const lockFile = join(project, 'package-lock.json');
writeFileSync(lockFile, '{}');

afterAll(() => rmSync(directory, { recursive: true, force: true }));

describe('the project of an entry', () => {
  it.each<[string, string, FunctionProps, string]>([
    ['it has a lock file', project, {}, ''],
    [
      'it is outside of that of synth',
      outside,
      {},
      `entry: '${outside}/handler.ts' is not under '${process.cwd()}'`,
    ],
    [
      'it is outside of that of the given lock file',
      outside,
      { depsLockFilePath: lockFile },
      `entry: '${outside}/handler.ts' is not under '${project}', the project of the lock file. Give an entry`,
    ],
    ['the given root holds both', outside, { depsLockFilePath: lockFile, projectRoot: directory }, ''],
    [
      'the given root does not hold the lock file',
      outside,
      { depsLockFilePath: lockFile, projectRoot: outside },
      `functionProps: projectRoot: the lock file '${lockFile}' is not under '${outside}'`,
    ],
    [
      'the given lock file does not exist',
      project,
      { depsLockFilePath: join(project, 'yarn.lock') },
      `functionProps: depsLockFilePath: there is no file '${project}/yarn.lock'`,
    ],
  ])('has to hold it and its lock file: %s', (_, place, functionProps, violation) => {
    const stack = unbundledStack();
    new MessageEndpoint(stack, 'Orders', { entry: join(place, 'handler.ts'), functionProps });
    expect.hasAssertions();
    expectViolation(stack, violation);
  });
});

describe('the lock file of an entry', () => {
  it('is the nearest above it', () => {
    const below = join(project, 'src');
    mkdirSync(below);
    expect(nearestLockFile(join(below, 'handler.ts'))).toBe(lockFile);
    writeFileSync(join(below, 'yarn.lock'), '');
    expect(nearestLockFile(join(below, 'handler.ts'))).toBe(join(below, 'yarn.lock'));
  });

  it('is left to CDK to miss', () => {
    expect(nearestLockFile(join(outside, 'handler.ts'))).toBeUndefined();
  });
});
