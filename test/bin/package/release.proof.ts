import { execFile, execFileSync } from 'node:child_process';
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { readManifest } from '../../../bin/package/manifest.ts';
import { repository } from '../../support/source-files.ts';
import { directoryOfTest } from '../../support/temporary-directory.ts';

const inClone = directoryOfTest();
const version = '999.0.0';
const real = 'https://sagabox.dev';
const addresses = { homepage: real, repository: { type: 'git', url: `git+${real}` }, bugs: { url: real } };
const placeholder = 'https://sagabox.example';

const git = (...parameters: string[]) =>
  execFileSync('git', parameters, { cwd: inClone(), encoding: 'utf8', env: gitEnvironment }).trim();
const gitEnvironment = {
  ...process.env,
  GIT_AUTHOR_NAME: 'A',
  GIT_AUTHOR_EMAIL: 'a@sagabox.dev',
  GIT_COMMITTER_NAME: 'A',
  GIT_COMMITTER_EMAIL: 'a@sagabox.dev',
};

/** A repository with what the script reads, of which a commit and a tag do no harm. */
beforeEach(() => {
  const filter = (path: string) => !/node_modules|\.installing-/.test(relative(repository, path));
  cpSync(join(repository, 'bin/package'), inClone('bin/package'), { recursive: true, filter });
  symlinkSync(join(repository, 'node_modules'), inClone('node_modules'));
  writeFileSync(inClone('CHANGELOG.md'), '# Changelog\n\n## Unreleased\n\n- A\n\n## 0.0.1 - 2026-01-01\n');
  git('init', '--quiet');
  writeFileSync(inClone('.git/info/exclude'), 'node_modules\n');
});

async function release(fields: object, ...parameters: string[]) {
  writeFileSync(inClone('package.json'), JSON.stringify({ ...(await readManifest()), ...fields }));
  git('add', '--all');
  git('commit', '--quiet', '--message', 'All');
  const script = inClone('bin/package/release.ts');
  const options = { cwd: inClone(), env: gitEnvironment };
  return await promisify(execFile)(process.execPath, [script, version, ...parameters], options).then(
    ({ stdout }) => ({ code: 0, stdout, stderr: '' }),
    ({ code, stdout, stderr }) => ({ code, stdout, stderr }),
  );
}

describe('npm run release -- --tag', () => {
  it.each([
    ['homepage', { homepage: placeholder }],
    ['repository', { repository: { type: 'git', url: `git+${placeholder}/sagabox.git` } }],
    ['bugs', { bugs: { url: placeholder } }],
  ])('refuses a placeholder in %s, and changes nothing', async (field, wrong) => {
    const { code, stderr } = await release({ ...addresses, ...wrong }, '--tag');
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining(`'${field}' in package.json is a placeholder`),
    ]);
    expect([git('status', '--porcelain'), git('tag'), git('log', '--format=%s')]).toEqual(['', '', 'All']);
  });

  it('commits and tags a version with real addresses', async () => {
    expect(await release(addresses, '--tag')).toMatchObject({ code: 0 });
    const subjects = git('log', '--format=%s').split('\n');
    expect([git('tag'), subjects]).toEqual([`v${version}`, [`Release ${version}`, 'All']]);
    expect(JSON.parse(readFileSync(inClone('package.json'), 'utf8')).version).toBe(version);
    expect(readFileSync(inClone('CHANGELOG.md'), 'utf8')).toContain(`## ${version} - `);
  });
});
