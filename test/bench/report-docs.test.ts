import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { CompleteRecord } from '../../bench/benchmark/record.ts';
import { readRecord } from '../../bench/benchmark/record-file.ts';
import { checkBounds } from '../../bench/limits/check-bounds.ts';
import { benchmarkDocuments, completeRecord, recordedFile } from '../../bench/report/docs.ts';
import { repository } from '../support/source-files.ts';

const docs = join(repository, 'docs');

/** Run `npm run bench -- --from docs/benchmarks.json --docs` when they differ. */
describe('docs/benchmarks.md and its charts', () => {
  let record: CompleteRecord;

  beforeAll(async () => {
    record = completeRecord(await readRecord(recordedFile));
  });

  it('are made of docs/benchmarks.json', async () => {
    for (const { path, text } of benchmarkDocuments(record)) {
      expect([path, await readFile(join(docs, path), 'utf8')]).toEqual([path, text]);
    }
  });

  it('are all there are', async () => {
    const drawn = benchmarkDocuments(record).map(({ path }) => path);
    const files = (await readdir(join(docs, 'images'))).filter((file) => file.startsWith('benchmark-'));
    expect(files.map((file) => join('images', file)).filter((file) => !drawn.includes(file))).toEqual([]);
  });

  it('have figures that meet the recorded bounds', () => {
    expect(checkBounds(record).flatMap(({ complaint }) => complaint ?? [])).toEqual([]);
  });

  it('lead to pages and headings that are there', async () => {
    const page = await readFile(join(docs, 'benchmarks.md'), 'utf8');
    const links = [...page.matchAll(/[^!]\[[^\]]*\]\(([^)]+)\)/g)].map(([, target = '']) => target);
    expect(links.length).toBeGreaterThan(2);
    for (const link of links) {
      const [file, anchor] = link.split('#');
      const text = await readFile(join(docs, file || 'benchmarks.md'), 'utf8');
      if (anchor !== undefined)
        expect([link, anchorsOf(text)]).toEqual([link, expect.arrayContaining([anchor])]);
    }
  });
});

function anchorsOf(page: string): string[] {
  return [...page.matchAll(/^##+ (.*)$/gm)].map(([, heading = '']) =>
    heading.toLowerCase().replaceAll(' ', '-'),
  );
}
