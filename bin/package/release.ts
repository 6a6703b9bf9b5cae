import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { releasedChangelog } from './changelog.ts';
import { readManifest } from './manifest.ts';
import { placeholders, publishProblems, releaseProblems } from './release-problems.ts';
import { repository } from './repository.ts';

/**
 * `npm run release -- 1.2.3`: a dry run, which changes nothing but `dist/`. With `--tag` it commits and tags the
 * release; with `--publish` it publishes what is tagged, in CI: provenance attests the commit that CI has checked out.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { tag: { type: 'boolean', default: false }, publish: { type: 'boolean', default: false } },
});
const [version = ''] = positionals;
const changelogFile = join(repository, 'CHANGELOG.md');

const git = (...parameters: string[]) =>
  execFileSync('git', parameters, { cwd: repository, encoding: 'utf8' }).trim();
const npm = (...parameters: string[]) =>
  execFileSync('npm', parameters, { cwd: repository, stdio: 'inherit' });

const manifest = await readManifest();
const changes = git('status', '--porcelain');
const problems = values.publish
  ? publishProblems({ version, manifest, changes, tags: git('tag', '--points-at', 'HEAD').split('\n') })
  : releaseProblems({ version, manifest, changes, tags: git('tag', '--list').split('\n') });
const unaddressed = placeholders(manifest);
if (values.tag || values.publish) problems.push(...unaddressed);
else for (const problem of unaddressed) console.log(`Before you tag: ${problem}`);
if (problems.length > 0) {
  for (const problem of problems) console.error(`release: ${problem}`);
  process.exit(1);
}

const today = new Date().toISOString().slice(0, 10);
if (values.publish) npm('publish', await build(), '--provenance', '--access', 'public');
else {
  const changelog = releasedChangelog(readFileSync(changelogFile, 'utf8'), version, today);
  if (values.tag) tag(changelog);
  else await tryOut();
}

/** The bundler is loaded here alone: a tag needs none. */
async function build(): Promise<string> {
  const { buildPackage } = await import('./build-package.ts');
  return await buildPackage();
}

function tag(changelog: string): void {
  writeFileSync(changelogFile, changelog);
  npm('version', version, '--no-git-tag-version');
  git('commit', '--all', '--message', `Release ${version}`);
  git('tag', '--annotate', `v${version}`, '--message', `sagabox ${version}`);
  console.log(`Tagged v${version}. Push it with: git push --follow-tags`);
  console.log(`In CI, at the tag, publish it with: npm run release -- ${version} --publish`);
}

async function tryOut(): Promise<void> {
  const folder = await build();
  npm('pack', folder, '--dry-run', '--loglevel=error');
  console.log(`Would move Unreleased under '## ${version} - ${today}', commit, and tag v${version}`);
  console.log(`CI would run, at the tag: npm publish ${folder} --provenance --access public`);
}
