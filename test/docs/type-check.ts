import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { repository } from '../support/source-files.ts';
import type { CodeBlock } from './code-blocks.ts';

/**
 * Type-checks blocks as files of a package that is this one, under the repository's own settings, in one run.
 *
 * @returns the errors by block; those that belong to no block under `undefined`
 */
export function typeCheck(blocks: readonly CodeBlock[]): Map<CodeBlock | undefined, string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'sagabox-docs-'));
  try {
    for (const name of ['package.json', 'lib', 'node_modules']) {
      symlinkSync(join(repository, name), join(folder, name));
    }
    for (const block of blocks) {
      const file = join(folder, fileOf(block));
      mkdirSync(dirname(file), { recursive: true });
      // 'wx': of two blocks with one name, neither goes unchecked.
      writeFileSync(file, moduleOf(block), { flag: 'wx' });
    }
    const settings = {
      extends: join(repository, 'tsconfig.json'),
      include: ['blocks'],
    };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(settings));

    const compiler = join(repository, 'node_modules/typescript/bin/tsc');
    const { stdout, stderr, error } = spawnSync(
      process.execPath,
      [compiler, '-p', folder, '--pretty', 'false'],
      { cwd: folder, encoding: 'utf8' },
    );
    if (error) throw error;
    return errorsByBlock(`${stdout}${stderr}`, blocks);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A block that names its file in its first line can be imported by others of its page. */
function fileOf({ path, line, code }: CodeBlock): string {
  const [, name = `${line}.ts`] = /^\/\/ ([\w./-]+\.ts)\n/.exec(code) ?? [];
  return join('blocks', path.replaceAll('/', '.'), name);
}

/** The code stands in the lines that it has in its page; each block is a module of its own. */
function moduleOf({ line, code }: CodeBlock): string {
  return `${'\n'.repeat(line - 1)}${code}\nexport {};\n`;
}

function errorsByBlock(output: string, blocks: readonly CodeBlock[]): Map<CodeBlock | undefined, string[]> {
  const blockByFile = new Map(blocks.map((block) => [fileOf(block), block]));
  const errors = new Map<CodeBlock | undefined, string[]>();
  // An error goes on in lines that are indented.
  for (const text of output.split(/\n(?=\S)/).filter((lines) => lines.trim() !== '')) {
    const [, file = '', line, message] = /^([^(]+)\((\d+),\d+\): ([\s\S]*)$/.exec(text) ?? [];
    const block = blockByFile.get(file);
    const described = block ? `${block.path}:${line}: ${message}` : text;
    errors.set(block, [...(errors.get(block) ?? []), described.trim()]);
  }
  return errors;
}
