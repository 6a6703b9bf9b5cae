import { expect, it } from '@jest/globals';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { figuresIn, startSample } from './start/sample-run.ts';

const inDirectory = temporaryDirectory();

it('npm start fails when the handlers have no outbox, and names what was applied twice', async () => {
  const file = inDirectory('failed.json');
  const run = await startSample(inDirectory('failed'), '--orders', '3', '--outbox', 'false', '--json', file);
  const exitCode = await run.exitCode;
  expect(run.output()).toMatch(/\nFAILED .*applied twice: .*charge of order-0000\d.*\n$/);
  expect(exitCode).toBe(1);
  expect((await figuresIn(file)).appliedTwice).toBeGreaterThan(0);
});
