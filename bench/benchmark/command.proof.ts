import { expect, it } from '@jest/globals';
import { temporaryDirectory } from '../../test/support/temporary-directory.ts';
import { BenchProcess } from '../bench-process.ts';
import { readRecord } from './record.ts';

const benchmarks = new BenchProcess('bench.ts');
const inDirectory = temporaryDirectory();

// .ci/run measures the other parts, of which some compare times, while nothing else runs.
it('npm run bench measures the given parts in a short form, writes the figures, and meets every bound', async () => {
  const file = inDirectory('short.json');
  const { stdout, stderr } = await benchmarks
    .run('--short', '--only', 'cost,bundle', '--json', file)
    .catch((error) => error);
  expect(stdout).toMatch(/\n24 bounds checked\n\nOK\n/);
  expect(stderr).toContain('Measuring cost');
  const record = await readRecord(file);
  expect(record.depth).toBe('short');
  expect(Object.keys(record.figures)).toEqual(['cost', 'bundle']);
});
