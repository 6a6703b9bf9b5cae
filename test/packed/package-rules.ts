import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { checkPackage, createPackageFromTarballData, type Problem } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import type { Check } from './checks.ts';
import { execute } from './projects.ts';

/** More than that is something that nobody is to install, such as a map of sources. */
const maxBytes = 600_000;
const maxFiles = 600;

/** What holds of the tarball itself. */
export function packageRules(tarball: string): readonly Check[] {
  return [
    {
      name: `at most ${maxBytes / 1000} kB and ${maxFiles} files`,
      run: async () => {
        const { byteLength } = await readFile(tarball);
        const { stdout } = await execute('tar', ['-tzf', tarball]);
        const files = stdout.trim().split('\n').length;
        assert(byteLength <= maxBytes && files <= maxFiles, `It has ${byteLength} bytes and ${files} files`);
      },
    },
    {
      name: 'pages are named by their address',
      run: async () => {
        const { stdout } = await execute('tar', ['-xzOf', tarball, 'package/lib'], { maxBuffer: 2 ** 26 });
        const paths = stdout.match(/\bdocs\/[\w/-]+\.md\b/g) ?? [];
        assert.deepEqual([...new Set(paths)], []);
        assert.match(stdout, /\/reference\/errors\.html/);
      },
    },
    {
      name: 'publint',
      run: async () => {
        const { messages, pkg } = await publint({ pack: { tarball: await bytesOf(tarball) }, strict: true });
        assert.deepEqual(
          messages.map((message) => formatMessage(message, pkg, { color: false })),
          [],
        );
      },
    },
    {
      name: 'are the types wrong?',
      run: async () => {
        const result = await checkPackage(
          createPackageFromTarballData(new Uint8Array(await bytesOf(tarball))),
        );
        assert(result.types, 'It has no types');
        assert.deepEqual(
          result.problems.filter((problem) => !isOfOlderNode(problem)),
          [],
        );
      },
    },
  ];
}

/** ES modules in CommonJS are for Node 22.12, and entry points besides the main one for Node 12. */
function isOfOlderNode(problem: Problem): boolean {
  if (problem.kind === 'CJSResolvesToESM') return true;
  return problem.kind === 'NoResolution' && problem.resolutionKind === 'node10';
}

async function bytesOf(file: string): Promise<ArrayBuffer> {
  return new Uint8Array(await readFile(file)).buffer;
}
