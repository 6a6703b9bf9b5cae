import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { importedFile, readSources, repository } from '../support/source-files.ts';

const page = readFileSync(join(repository, 'docs/design/architecture.md'), 'utf8');
const [, section = ''] = page.split('## The flow of one record\n');
const [, drawing = ''] = /^```mermaid\n([\s\S]*?)^```/m.exec(section) ?? [];
const drawn = [...new Set(drawing.match(/[\w/-]+\.ts\b/g))].map((file) => `lib/${file}`);

/** The files that these import, and what those import, except for types. */
function reachedFrom(...entries: string[]): Set<string> {
  const sources = new Map(readSources('lib').map((source) => [source.path, source]));
  const reached = new Set(entries);
  for (const path of reached) {
    const source = sources.get(path);
    for (const imported of source?.imports ?? []) {
      const file = imported.typeOnly ? undefined : importedFile(path, imported);
      if (file !== undefined) reached.add(file);
    }
  }
  return reached;
}

describe('the flow of one record, as it is drawn', () => {
  it('begins at the batch, and has at most a dozen files', () => {
    expect(drawn[0]).toBe('lib/compose/handler/batch-handler.ts');
    expect(drawn.length).toBeGreaterThan(8);
    expect(drawn.length).toBeLessThanOrEqual(12);
  });

  it('is that of the code: createHandler reaches each file', () => {
    const reached = reachedFrom('lib/compose/handler/create-handler.ts');
    expect(drawn.filter((file) => !reached.has(file))).toEqual([]);
  });
});

it('docs/guide/guarantees.md has each invariant', () => {
  const invariants = (text: string) => [...text.matchAll(/^\| (I\d) \|/gm)].map(([, name]) => name);
  const guarantees = readFileSync(join(repository, 'docs/guide/guarantees.md'), 'utf8');
  expect(invariants(guarantees)).toEqual(invariants(page));
  expect(invariants(page)).toHaveLength(8);
});
