import { describe, expect, it } from '@jest/globals';
import { runCommand } from '../../lib/cli/main.ts';
import { linesOf, objectOf } from '../../lib/cli/redrive/result.ts';
import { linesOf as linesOfRelay, objectOf as objectOfRelay } from '../../lib/cli/relay/result.ts';
import { commandIo } from '../support/command-io.ts';

/** What a terminal acts on, or what changes the order of what it shows. */
const hostile = [
  '\u0000',
  '\u0007',
  '\b',
  '\n',
  '\v',
  '\f',
  '\r',
  '\u001b[2J',
  '\u001b]0;title\u0007',
  '\u007f',
  '\u0085',
  '\u009b2J',
  '\u009d0;title\u009c',
  '\u061c',
  '\u200e',
  '\u200f',
  '\u202a',
  '\u202b',
  '\u202c',
  '\u202d',
  '\u202e',
  '\u2066',
  '\u2067',
  '\u2068',
  '\u2069',
  '\u2028',
  '\u2029',
];
const acted = /(?!\t)[\p{Cc}\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;

async function written(lines: readonly string[], object: object, asJson: boolean) {
  const { io, out, err } = commandIo();
  for (const line of lines) io.err(line);
  const result = { json: () => object, lines: () => lines, failed: false };
  await runCommand('redrive', async () => result, asJson, io);
  return { out, err };
}

describe('what a command writes', () => {
  it('is one line with nothing that a terminal acts on, whatever a sender chose', async () => {
    for (const part of hostile) {
      const { out, err } = await written([`a${part}b`], {}, false);
      expect(out).toEqual(err);
      expect(out).toHaveLength(1);
      expect(out[0]).not.toMatch(acted);
      // The escapes are those of JSON.
      expect(JSON.parse(`"${out[0]}"`)).toBe(`a${part}b`);
    }
  });

  it('is text of every script as it is, and a tab', async () => {
    const lines = ['Bestellung\t– 注文 🚀 👨‍👩‍👧 سفارش‌ها הזמנה ا\u0308'];
    expect((await written(lines, {}, false)).out).toEqual(lines);
  });

  it('is the same JSON for a program, as one line with nothing that a terminal acts on', async () => {
    const object = { id: hostile.join('"\\'), [hostile.join('')]: [hostile] };
    const { out } = await written([], object, true);
    expect(out).toHaveLength(1);
    expect(out[0]).not.toMatch(acted);
    expect(JSON.parse(out[0] ?? '')).toEqual(object);
  });

  it('has no line of a sender in the results of redrive and relay', async () => {
    const id = `m1${hostile.join('')}99 moved, 0 failed`;
    const message = {
      messageId: id,
      messageType: id,
      code: id,
      failedAt: '2026-01-02T03:04:05.678Z',
      to: 'https://q',
      problem: id,
    };
    const redriven = {
      ...{ moved: [message], failed: [message], leftOut: 0, failedMeanwhile: 0, notLookedAt: 0 },
      ...{ interrupted: false, problem: undefined },
    };
    const options = { from: 'https://q/errors', dryRun: true };
    const relayed = {
      ...{
        found: 1,
        dispatched: 0,
        held: 0,
        postponed: 0,
        settled: 0,
        complete: true,
        searchError: undefined,
      },
      ...{ failed: [{ messageId: id, code: id, message: id }], capacity: { readUnits: 0, writeUnits: 0 } },
    };
    for (const [lines, object, count] of [
      [linesOf(redriven, options), objectOf(redriven, options), 3],
      [linesOfRelay(relayed), objectOfRelay(relayed, 'orders'), 2],
    ] as const) {
      const { out } = await written(lines, object, false);
      expect(out).toHaveLength(count);
      expect(out.join('')).not.toMatch(acted);
      const { out: json } = await written(lines, object, true);
      expect(json.join('')).not.toMatch(acted);
      expect(JSON.parse(json[0] ?? '').failures).toMatchObject([{ messageId: id, problem: id }]);
    }
  });

  it('is an error in one line, and the problems of input in lines of their own', async () => {
    const { io, err } = commandIo();
    await runCommand('show', () => Promise.reject(new Error('no\u001b[2J\n99 moved')), false, io);
    expect(err).toEqual(['no\\u001b[2J\\n99 moved']);
  });
});
