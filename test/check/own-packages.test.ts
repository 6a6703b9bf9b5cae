import { expect, it } from '@jest/globals';
import { filesThatNeed, foldersWithPackages } from './own-packages.ts';

it('the folders whose code imports packages of their own are found', () => {
  expect(foldersWithPackages).toEqual(['bench', 'bin/package', 'site', 'test/mutation', 'test/packed']);
});

it('files cannot be compiled without packages that they, or what they import, need', () => {
  expect(filesThatNeed([])).toEqual([]);
  expect(filesThatNeed(['site'])).toContain('site/.vitepress/config.ts');
  const files = filesThatNeed(['bin/package']);
  expect(files).toEqual(
    expect.arrayContaining(['bin/package/bundle.ts', 'bin/package/release.ts', 'test/packed/projects.ts']),
  );
  expect(files).not.toContain('bin/package/manifest.ts');
});
