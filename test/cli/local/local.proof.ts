import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { DeleteQueueCommand, GetQueueUrlCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { copyFixture } from '../../local/fixture-assembly.ts';
import { clientAt } from '../../support/engines.ts';
import { descendantsOf, isListening, isRunning, signalProcess } from '../../support/processes.ts';
import { repository } from '../../support/source-files.ts';
import { directoryOfTest } from '../../support/temporary-directory.ts';
import { waitUntil } from '../../support/wait-until.ts';

const temporary = directoryOfTest();
let end: (() => void) | undefined;

beforeEach(() => copyFixture(temporary('cdk.out')));
afterEach(() => end?.());

type Line = Record<string, unknown>;

/** Runs the program in the folder of the test. */
function startProgram(...args: string[]) {
  const program = spawn(process.execPath, [join(repository, 'bin/sagabox.ts'), 'local', 'cdk.out', ...args], {
    cwd: temporary(),
    env: { PATH: process.env.PATH, SAGABOX_DYNAMODB_ENDPOINT: process.env.SAGABOX_TEST_DYNAMODB_ENDPOINT },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  end = () => void program.kill('SIGKILL');
  const [out, err]: [string[], string[]] = [[], []];
  createInterface({ input: program.stdout }).on('line', (line) => out.push(line));
  createInterface({ input: program.stderr }).on('line', (line) => err.push(line));
  return { program, out, err, processId: program.pid ?? 0, exited: once(program, 'close') };
}

describe('the program sagabox local', () => {
  it('runs an app, sends messages, replaces a function that changed, and ends when it is interrupted', async () => {
    const messages = [
      { type: 'Work', id: 'w1', body: { id: 'a', fate: 'succeed' } },
      { queue: 'Fixture-Work', type: 'Work', id: 'w2', body: { id: 'b', fate: 'fail' } },
    ];
    await writeFile(temporary('messages.json'), JSON.stringify(messages));
    await writeFile(temporary('handler.ts'), '');
    await writeFile(
      temporary('synth.mjs'),
      `import { cpSync, readFileSync, writeFileSync } from 'node:fs';
       const source = readFileSync('handler.ts', 'utf8');
       if (source === 'broken') throw new Error('it does not compile');
       if (source === 'changed') cpSync('cdk.out/asset.echo', 'cdk.out/asset.changed', { recursive: true });
       const assets = readFileSync('cdk.out/Fixture.assets.json', 'utf8');
       writeFileSync('cdk.out/Fixture.assets.json', assets.replace('asset.echo', 'asset.changed'));
       if (source === 'changed') writeFileSync('report.json', String(Date.now()));`,
    );
    const synth = ['--watch', '--synth', `'${process.execPath}' synth.mjs`];
    const run = startProgram('--send', 'messages.json', '--queue', 'Work', '--json', ...synth);
    const lines = (): Line[] => run.out.map((line) => JSON.parse(line));
    const told = (facts: Line) => async () => {
      expect(run.program.exitCode).toBeNull();
      return lines().some((line) => Object.entries(facts).every(([name, value]) => line[name] === value));
    };
    await waitUntil(told({ event: 'handled', id: 'w1' }));
    await waitUntil(told({ event: 'failed', id: 'w2' }));
    await waitUntil(told({ event: 'sent', to: 'Out' }));
    await waitUntil(told({ event: 'log', line: 'handled a' }));
    const [started] = lines();
    const { AWS_ENDPOINT_URL: endpoint = '' } = (started?.environment ?? {}) as Record<string, string>;
    const client = clientAt(SQSClient, endpoint);
    const { QueueUrl } = await client.send(new GetQueueUrlCommand({ QueueName: 'Fixture-Work' }));
    expect(started).toMatchObject({
      event: 'started',
      queues: { Work: QueueUrl },
      functions: { Echo: 'Fixture-Echo' },
    });
    expect(Object.keys(started?.queues ?? {})).toEqual(['Work', 'Dead', 'Out']);
    expect(Object.values(started?.tables ?? {})).toEqual([expect.stringMatching(/^ledger-/)]);

    const failures = () => lines().flatMap(({ event, output }) => (event === 'synthFailed' ? [output] : []));
    await writeFile(temporary('handler.ts'), 'broken');
    await waitUntil(() => failures().length === 1);
    await writeFile(temporary('handler.ts'), 'without code');
    await waitUntil(() => failures().length === 2);
    expect(failures()).toEqual([
      expect.stringContaining('it does not compile'),
      expect.stringMatching(/asset\.changed.*Run cdk synth again/),
    ]);

    await writeFile(temporary('handler.ts'), 'changed');
    await waitUntil(() => lines().some(({ event }) => event === 'reloaded'));
    const reloaded = { event: 'reloaded', replaced: ['Echo'], needRestart: [] };
    expect(lines().find(({ event }) => event === 'reloaded')).toMatchObject(reloaded);
    const body = JSON.stringify({ id: 'c', fate: 'succeed' });
    await client.send(new SendMessageCommand({ QueueUrl, MessageBody: body }));
    await waitUntil(told({ event: 'log', line: 'handled c' }));
    await waitUntil(() => run.err.at(-1)?.startsWith('--watch ignores report.json') === true);
    expect(lines().filter(({ event }) => event === 'reloaded')).toHaveLength(4);

    const children = descendantsOf(run.processId);
    expect(children).not.toEqual([]);
    signalProcess(run.processId, 'SIGINT');
    const [exitCode] = await run.exited;
    expect([exitCode, lines().at(-1)]).toEqual([
      0,
      expect.objectContaining({ event: 'stopped', handled: 2 }),
    ]);
    // Its guards end when they see its input close.
    await waitUntil(() => !children.some(isRunning));
    expect(await isListening(endpoint)).toBe(false);
  });

  it('prints for people what runs and what happens', async () => {
    await writeFile(temporary('work.yaml'), '- { type: Work, id: w1, body: { id: a, fate: succeed } }');
    const run = startProgram('--send', 'work.yaml', '--queue', 'Work');
    await waitUntil(() => run.out.some((line) => line.includes('handled  Work w1 at Echo')));
    signalProcess(run.processId, 'SIGTERM');
    const [exitCode] = await run.exited;
    expect(exitCode).toBe(0);
    const printed = run.out.join('\n');
    expect(printed).toMatch(/^The app runs at http:\/\/127\.0\.0\.1:\d+, on /);
    expect(printed).toMatch(/\nTables\n {2}ledger-\S+ {2}ledger-\S+\n/);
    expect(printed).toMatch(/\nFunctions\n {2}Echo {2}Fixture-Echo\n/);
    expect(printed).toMatch(/\n {2}Work {2}http:\S+\/000000000000\/Fixture-Work\n/);
    expect(printed).toMatch(/\n {2}export AWS_ENDPOINT_URL=http:\/\/127\.0\.0\.1:\d+\n/);
    expect(printed).toContain('Not run here: AWS::IAM::Role');
    expect(printed).toMatch(/^\d\d:\d\d:\d\d\.\d{3} Echo \| handled a$/m);
    expect(run.out.at(-1)).toBe('Stopped: 1 handled, 0 failed, 1 sent');
  });

  it('ends with 1 when an event source cannot go on', async () => {
    const run = startProgram('--json');
    await waitUntil(() => run.out.length > 0);
    const { environment, queues } = JSON.parse(run.out[0] ?? '');
    const client = clientAt(SQSClient, environment.AWS_ENDPOINT_URL);
    await client.send(new DeleteQueueCommand({ QueueUrl: queues.Work }));
    const [exitCode] = await run.exited;
    expect([exitCode, run.err.at(-1)]).toEqual([1, expect.stringContaining('queue does not exist')]);
  });

  it('refuses --watch where there is no app of the CDK', async () => {
    const run = startProgram('--watch');
    expect(await run.exited).toEqual([2, null]);
    expect(run.err.join('\n')).toContain('--watch: there is no cdk.json in');
  });
});
