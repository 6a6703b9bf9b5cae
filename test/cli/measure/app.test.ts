import { writeFile } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { copyFixture } from '../../local/fixture-assembly.ts';
import { runCommandLine } from '../../support/command-io.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';

const temporary = temporaryDirectory();

beforeAll(() => copyFixture(temporary('assembly')));

async function measure(messages: unknown, options: readonly string[] = [], queue = ['Fixture-Work']) {
  const file = temporary('messages.json');
  await writeFile(file, typeof messages === 'string' ? messages : JSON.stringify(messages));
  const app = ['--app', temporary('assembly'), '--queue', ...queue, '--messages', file];
  return await runCommandLine('measure', ...app, ...options);
}

describe('sagabox measure --app', () => {
  it.each([
    ['{', 'messages.json: it cannot be read'],
    [[], 'holds no message'],
    [[{ type: 'A', body: 1, queue: 'B' }], '0.queue: all go to the queue of --queue'],
    [
      [1, { body: 1, tpye: 'A' }, { type: 'A', body: {}, headers: { a: 1 } }],
      "[1].tpye: there is no such setting (did you mean 'type'?)",
    ],
  ])('refuses the messages %j with 2', async (messages, problem) => {
    const { exitCode, err } = await measure(messages);
    expect([exitCode, err]).toEqual([2, expect.stringContaining(problem)]);
  });

  it('tells all problems of the messages and options at once', async () => {
    const { exitCode, err } = await measure([1, { type: '', headers: 3 }], [], ['A', 'B']);
    const problems = err.split('\n').slice(0, -1);
    expect([exitCode, problems.map((problem) => problem.replace(/ \/.*messages\.json:/, ''))]).toEqual([
      2,
      [
        'error: --queue: give one queue of the app, by its name',
        'error: --messages: [0]: 1 is not an object. Use one',
        'error: --messages: [1].body: it is missing. Give it',
        'error: --messages: [1].type: "" is not a non-empty string. Use one',
        'error: --messages: [1].headers: 3 is not an object. Use one',
      ],
    ]);
  });
});
