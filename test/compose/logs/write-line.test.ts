import { Writable } from 'node:stream';
import { afterEach, expect, it, jest } from '@jest/globals';
import { hasWaitingLines, linesWritten, writeLine } from '../../../lib/compose/logs/write-line.ts';

afterEach(() => {
  jest.restoreAllMocks();
});

/** A stdout that has taken nothing yet of what was written to it. */
function fullPipe() {
  const { promise: isRead, resolve: read } = Promise.withResolvers<void>();
  const stdout = new Writable({ write: (_chunk, _encoding, done) => void isRead.then(() => done()) });
  stdout.write('a line');
  jest.spyOn(process, 'stdout', 'get').mockReturnValue(stdout as unknown as typeof process.stdout);
  return { stdout, read };
}

it('lines that a full pipe does not take at once are waited for', async () => {
  const { read } = fullPipe();
  expect(hasWaitingLines()).toBe(true);
  let isWritten = false;
  const waiting = linesWritten().then(() => {
    isWritten = true;
  });
  await new Promise(setImmediate);
  expect(isWritten).toBe(false);
  read();
  await waiting;
  expect(hasWaitingLines()).toBe(false);
});

const throwing = () => {
  throw new Error('no space left');
};

it('a full pipe that throws is not waited for', async () => {
  jest.spyOn(fullPipe().stdout, 'write').mockImplementation(throwing);
  await expect(linesWritten()).resolves.toBeUndefined();
});

it.each<[string, () => boolean]>([
  ['throws', throwing],
  ['never answers', () => true],
])('a stdout that %s fails nothing', async (_kind, write) => {
  const writing = jest.spyOn(process.stdout, 'write').mockImplementation(write);
  for (let n = 0; n < 20; n += 1) writeLine('a line');
  await linesWritten();
  expect(writing).toHaveBeenCalledTimes(20);
});
