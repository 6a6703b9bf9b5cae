import assert from 'node:assert/strict';
import { wrongUses, wrongUsesCode } from '../types/wrong-uses.ts';

export const wrongUsesFile = 'wrong-uses.ts';

/** @throws Error when a compiler older than 7 says something else of the wrong uses of contracts, or of others */
export function assertWrongUses(output: string): void {
  const lines = wrongUsesCode.split('\n');
  // An error goes on in lines that are indented.
  const errors = output.split('\n').filter((line) => /^\S/.test(line));
  const told = errors.map((error) => {
    const [, path, line, message = error] = /^(.+?)\((\d+),\d+\): error (.*)$/.exec(error) ?? [];
    return path === wrongUsesFile
      ? [lines[Number(line) - 1]?.replace(/;$/, ''), inAnyOrder(message)]
      : [path, message];
  });
  const expected = wrongUses.map(([call, message, before7 = message]) => [call, inAnyOrder(before7)]);
  assert.deepEqual(told, expected);
}

/** Older compilers name the members of a union in another order. */
function inAnyOrder(message: string): string {
  return message.replace(/"\w+"(?: \| "\w+")+/g, (union) => union.split(' | ').toSorted().join(' | '));
}
