import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { buildPackage } from './build-package.ts';
import { releasedChangelog } from './changelog.ts';
import { readManifest } from './manifest.ts';
import { placeholders, releaseProblems } from './release-problems.ts';
import { repository } from './repository.ts';

/** `npm run release -- 1.2.3`: a dry run, which changes nothing but `dist/`, unless `--publish` is given. */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { publish: { type: 'boolean', default: false } },
});
const [version = ''] = positionals;
const changelogFile = join(repository, 'CHANGELOG.md');

const git = (...parameters: string[]) =>
  execFileSync('git', parameters, { cwd: repository, encoding: 'utf8' }).trim();
const npm = (...parameters: string[]) =>
  execFileSync('npm', parameters, { cwd: repository, stdio: 'inherit' });

const manifest = await readManifest();
const problems = releaseProblems({
  version,
  manifest,
  changes: git('status', '--porcelain'),
  tags: git('tag', '--list').split('\n'),
});
const unaddressed = placeholders(manifest);
if (values.publish) problems.push(...unaddressed);
else for (const problem of unaddressed) console.log(`Before you publish: ${problem}`);
if (problems.length > 0) {
  for (const problem of problems) console.error(`release: ${problem}`);
  process.exit(1);
}

const today = new Date().toISOString().slice(0, 10);
const changelog = releasedChangelog(readFileSync(changelogFile, 'utf8'), version, today);
if (values.publish) await publish();
else await tryOut();

async function publish(): Promise<void> {
  writeFileSync(changelogFile, changelog);
  npm('version', version, '--no-git-tag-version');
  const folder = await buildPackage();
  git('commit', '--all', '--message', `Release ${version}`);
  git('tag', '--annotate', `v${version}`, '--message', `sagabox ${version}`);
  npm('publish', folder, '--provenance', '--access', 'public');
  console.log(`Published ${version}. Push it with: git push --follow-tags`);
}

async function tryOut(): Promise<void> {
  const folder = await buildPackage();
  npm('pack', folder, '--dry-run', '--loglevel=error');
  console.log(`Would move Unreleased under '## ${version} - ${today}', commit, and tag v${version}`);
  console.log(`Would run: npm publish ${folder} --provenance --access public`);
}
