import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { blocksIn } from '../support/page-blocks.ts';
import { repository } from '../support/source-files.ts';

const textOf = (path: string) => readFileSync(join(repository, path), 'utf8');
const folders = globSync('examples/*/', { cwd: repository }).toSorted();
const designs = globSync('examples/high-load/*/README.md', { cwd: repository }).map((path) => dirname(path));
const linesOfAScreen = 60;

describe('the examples', () => {
  it.each([...folders, ...designs])(
    '%s has a page of one screen, with a command and a picture of its messages',
    (folder) => {
      const page = textOf(`${folder}/README.md`);
      expect(page.split('\n').length).toBeLessThanOrEqual(linesOfAScreen);
      expect(page).toContain('```mermaid\n');
      const blocks = blocksIn(page).flatMap((block) => (block.kind === 'commands' ? [block] : []));
      const [first] = blocks.filter(({ needs }) => needs === undefined);
      expect(first?.commands.length).toBeGreaterThan(0);
      const files = first?.commands.join(' ').match(/(?:test\/)?examples\/[\w/.-]+/g) ?? [];
      expect(files.filter((file) => !existsSync(join(repository, file)))).toEqual([]);
    },
  );

  it.each(folders)('%s has a test, and a line in examples/README.md', (folder) => {
    const tests = globSync(
      [`test/${folder}/*.{test,proof}.ts`, `test/docs/${folder.slice('examples/'.length)}.test.ts`],
      {
        cwd: repository,
      },
    );
    expect(tests.length).toBeGreaterThan(0);
    expect(textOf('examples/README.md')).toContain(`(${folder.slice('examples/'.length)}/README.md)`);
  });
});
