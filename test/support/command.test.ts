import { describe, expect, it, jest } from '@jest/globals';
import { MissingPrerequisite, readCommandLine, runCommand, whole } from './command.ts';

const read = (value: string, range: readonly [number, number] = [1, 10]) =>
  readCommandLine([`--workers=${value}`], '', { workers: whole(range, 1) }, ({ workers }) => workers);

describe('an option that takes a whole number', () => {
  it.each([
    ['1', 1],
    ['10', 10],
    ['007', 7],
  ])('takes %s', (given, value) => {
    expect(read(given)).toEqual({ run: value });
  });

  it('takes one below zero where its range has one', () => {
    expect(read('-5', [-5, 5])).toEqual({ run: -5 });
  });

  it.each(['0', '11', '-1', '1.5', '1e1', '0x1', ' 1', '', 'x'])(
    'takes no %j, and tells what it takes',
    (given) => {
      expect(read(given)).toEqual({
        refused: `--workers takes a whole number from 1 to 10, not '${given}'`,
      });
    },
  );
});

it.each([
  ['a prerequisite that is missing', new MissingPrerequisite('Install Java'), 2, 'Install Java\n'],
  ['a failure', new Error('lost'), 1, expect.stringMatching(/^FAILED Error: lost\n/)],
])('a command that ends with %s says so, and exits apart', async (_what, error, exitCode, told) => {
  const written = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
  try {
    expect(await runCommand({ run: {} }, '', () => Promise.reject(error))).toBe(exitCode);
    expect(written.mock.calls).toEqual([[told]]);
  } finally {
    written.mockRestore();
  }
});
