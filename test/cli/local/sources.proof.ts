import { utimesSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { expect, it } from '@jest/globals';
import { sourceChanges } from '../../../lib/cli/local/watch/sources.ts';
import { directoryOfTest } from '../../support/temporary-directory.ts';

const temporary = directoryOfTest();

it('sources are told when they have changed and are still, whatever else goes on changing', async () => {
  await mkdir(temporary('lambdas/deep'), { recursive: true });
  writeFileSync(temporary('lambdas/deep/file.ts'), 'before');
  const end = new AbortController();
  const place = { directory: temporary(), output: temporary('out') };
  const changes = sourceChanges(place, end.signal);
  const first = changes.next();
  const busy = setInterval(() => writeFileSync(temporary('busy.json'), String(Math.random())), 20);
  // More than once: what came before the first look is no change.
  const edit = setInterval(
    () => utimesSync(temporary('lambdas/deep/file.ts'), new Date(), new Date()),
    1_500,
  );
  expect((await first).value).toEqual([temporary('lambdas/deep/file.ts')]);
  clearInterval(edit);
  clearInterval(busy);
  end.abort();
  expect(await changes.next()).toEqual({ done: true, value: undefined });
});
