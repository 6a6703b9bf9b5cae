import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { releasedChangelog } from '../../../bin/package/changelog.ts';
import {
  entryPoints,
  type Manifest,
  publishedManifest,
  readManifest,
} from '../../../bin/package/manifest.ts';
import { packedPage, withDocumentAddresses } from '../../../bin/package/packed-page.ts';
import { placeholders, publishProblems, releaseProblems } from '../../../bin/package/release-problems.ts';
import { repository } from '../../../bin/package/repository.ts';

const manifest: Manifest = {
  name: 'sagabox',
  version: '1.9.3',
  private: true,
  scripts: { test: 'jest' },
  homepage: 'https://sagabox.example',
  repository: { type: 'git', url: 'git+https://git.sagabox.example/sagabox.git' },
  bugs: { url: 'https://git.sagabox.example/sagabox/issues' },
  exports: {
    '.': { 'sagabox-source': './lib/index.ts' },
    './testing': { 'sagabox-source': './lib/testing/index.ts' },
    './package.json': './package.json',
  },
};

describe('the published manifest', () => {
  it('has entry points that were built, and no fields of the repository', () => {
    expect(entryPoints(manifest)).toEqual({ index: 'lib/index.ts', testing: 'lib/testing/index.ts' });
    expect(publishedManifest(manifest)).toEqual({
      name: 'sagabox',
      version: '1.9.3',
      homepage: manifest.homepage,
      repository: manifest.repository,
      bugs: manifest.bugs,
      exports: {
        '.': { types: './lib/index.d.ts', default: './lib/index.js' },
        './testing': { types: './lib/testing.d.ts', default: './lib/testing.js' },
        './package.json': './package.json',
      },
    });
  });

  it('keeps the dependencies and peers', async () => {
    const { dependencies, peerDependencies } = await readManifest();
    expect(publishedManifest(await readManifest())).toMatchObject({ dependencies, peerDependencies });
  });
});

it.each([
  ['[a](docs/guide/relay.md#run)', '[a](https://sagabox.example/guide/relay.html#run)'],
  ['[a](CONTRIBUTING.md)', '[a](https://git.sagabox.example/sagabox/blob/HEAD/CONTRIBUTING.md)'],
  ['[a](CHANGELOG.md#added)', '[a](CHANGELOG.md#added)'],
  ['[a](https://keepachangelog.com) [b](#top)', '[a](https://keepachangelog.com) [b](#top)'],
])('a page of the package has for %s: %s', (link, packed) => {
  expect(packedPage(link, manifest)).toBe(packed);
});

it('the code of the package names pages by their address', () => {
  const code = "// See docs/guide/relay.md.\nconst page = 'docs/reference/errors.md';";
  const packed =
    "// See https://sagabox.example/guide/relay.html.\nconst page = 'https://sagabox.example/reference/errors.html';";
  expect(withDocumentAddresses(code, manifest.homepage)).toBe(packed);
});

it('the pages that the code names exist', () => {
  const sources = readdirSync(join(repository, 'lib'), { recursive: true, encoding: 'utf8' });
  const named = sources
    .filter((file) => file.endsWith('.ts'))
    .flatMap(
      (file) => readFileSync(join(repository, 'lib', file), 'utf8').match(/\bdocs\/[\w/-]+\.\w+/g) ?? [],
    );
  expect(named).toContain('docs/reference/errors.md');
  expect(named.filter((page) => !existsSync(join(repository, page)))).toEqual([]);
});

describe('a release', () => {
  const release = { version: '1.10.0', manifest, changes: '', tags: ['v1.9.2'] };

  it('has no problem with a newer version and a clean tree', () => {
    expect(releaseProblems(release)).toEqual([]);
  });

  it.each([
    [{ version: '1.9.3' }, 'is not newer'],
    [{ version: '1.8.9' }, 'is not newer'],
    [{ version: '2' }, 'is no version'],
    [{ changes: ' M README.md' }, 'The tree has changes'],
    [{ tags: ['v1.10.0'] }, 'The tag v1.10.0 exists'],
  ])('is refused with %j: %s', (change, problem) => {
    expect(releaseProblems({ ...release, ...change })).toEqual([expect.stringContaining(problem)]);
  });

  it.each([
    [{}, 'The commit has no tag v1.10.0'],
    [{ tags: ['v1.10.0'], changes: ' M README.md' }, 'The tree has changes'],
    [{ tags: ['v1.10.0'], manifest }, 'package.json has version 1.9.3'],
  ])('is not published with %j: %s', (change, problem) => {
    const tagged = { ...release, manifest: { ...manifest, version: '1.10.0' } };
    expect(publishProblems({ ...tagged, ...change })).toEqual([expect.stringContaining(problem)]);
    expect(publishProblems({ ...tagged, tags: ['v1.10.0'] })).toEqual([]);
  });

  it('finds placeholder addresses, and takes real ones', () => {
    expect(placeholders(manifest)).toHaveLength(3);
    const real = 'https://sagabox.dev';
    const repository = { type: 'git', url: `git+${real}` };
    expect(placeholders({ ...manifest, homepage: real, bugs: { url: real }, repository })).toEqual([]);
  });

  it('moves what is unreleased under the version', () => {
    const changelog = '# Changelog\n\n## Unreleased\n\n### Added\n\n- A\n\n## 0.1.0 - 2026-01-01\n';
    expect(releasedChangelog(changelog, '0.2.0', '2026-02-03')).toBe(
      '# Changelog\n\n## Unreleased\n\n## 0.2.0 - 2026-02-03\n\n### Added\n\n- A\n\n## 0.1.0 - 2026-01-01\n',
    );
    expect(() => releasedChangelog('## Unreleased\n\n## 0.1.0\n', '0.2.0', '2026-02-03')).toThrow('Nothing');
  });
});
