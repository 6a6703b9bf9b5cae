import { writeFile } from 'node:fs/promises';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { copyFixture } from '../../local/fixture-assembly.ts';
import { runCommandLine } from '../../support/command-io.ts';
import { directoryOfTest } from '../../support/temporary-directory.ts';

const temporary = directoryOfTest();

beforeEach(() => copyFixture(temporary('cdk.out')));

describe('sagabox local', () => {
  it.each([
    [['nowhere'], 'nowhere: it holds no cloud assembly'],
    [[], "missing required argument 'directory'"],
    [['nowhere', '--port', '0'], 'Expected a port from 1 to 65535'],
    [['nowhere', '--port', '65536'], 'Expected a port from 1 to 65535'],
    [['nowhere', '--send', 'missing.json'], 'error: --send: missing.json: it cannot be read'],
    [['nowhere', 'elsewhere'], 'too many arguments'],
    [['nowhere', '--queue', 'orders'], '--queue: it has no effect without --send'],
    [['nowhere', '--synth', 'npx cdk synth'], '--synth: it has no effect without --watch'],
  ])('refuses %j with 2', async (args, problem) => {
    const { exitCode, out, err } = await runCommandLine('local', ...args);
    expect([exitCode, out, err]).toEqual([2, [], expect.stringContaining(problem)]);
  });

  it.each([
    [{ type: 'a\uFFFEb' }, '[0].type: it has U+FFFE at index 1, which SQS does not take'],
    [{ id: '\u0000' }, '[0].id: it has U+0000 at index 0'],
    [{ headers: { tenant: '\uD800' } }, '[0].headers.tenant: it has U+D800 at index 0'],
  ])('refuses the characters of %j with their place, before anything is started', async (part, problem) => {
    const message = { queue: 'orders', type: 'OrderPlaced', body: '\uFFFE', ...part };
    await writeFile(temporary('messages.json'), JSON.stringify([message]));
    const { exitCode, err } = await runCommandLine('local', 'nowhere', '--send', temporary('messages.json'));
    expect([exitCode, err]).toEqual([2, expect.stringContaining(problem)]);
  });

  it('refuses messages without a queue, and tells each', async () => {
    const messages = [
      { type: 'A', body: 1 },
      { queue: 'a', type: 'A', body: 1 },
      { type: 'B', body: 2 },
    ];
    await writeFile(temporary('messages.json'), JSON.stringify(messages));
    const { exitCode, err } = await runCommandLine('local', 'nowhere', '--send', temporary('messages.json'));
    expect(exitCode).toBe(2);
    expect(err).toMatch(/0\.queue: is missing, and --queue names none\n.*2\.queue: is missing/);
  });

  it('refuses a queue that the app does not have, before it starts anything', async () => {
    const messages = [
      { queue: 'Work', type: 'A', body: 1 },
      { queue: 'Wrok', type: 'A', body: 1 },
    ];
    await writeFile(temporary('messages.json'), JSON.stringify(messages));
    const send = ['--send', temporary('messages.json')];
    const { exitCode, err } = await runCommandLine('local', temporary('cdk.out'), ...send);
    expect(exitCode).toBe(2);
    expect(err).toMatch(/the app has no queue 'Wrok'\. Name one of its queues: .*Work \(Fixture-Work\)/);
    expect(err).not.toContain('Starting');
  });
});
