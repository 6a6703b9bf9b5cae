import { writeFile } from 'node:fs/promises';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { copyFixture } from '../../local/fixture-assembly.ts';
import { runCommandLine } from '../../support/command-io.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';

const temporary = temporaryDirectory();

beforeAll(() => copyFixture(temporary('assembly')));
beforeEach(() => {
  process.env.SAGABOX_DYNAMODB_ENDPOINT = process.env.SAGABOX_TEST_DYNAMODB_ENDPOINT;
});
afterEach(() => {
  delete process.env.SAGABOX_DYNAMODB_ENDPOINT;
});

/** The function of the fixture updates an item, and sends a message to a queue that feeds nobody. */
const work = (id: string, fate = 'succeed') => ({ type: 'Work', body: { id, fate } });

async function measure(messages: unknown, options: readonly string[] = [], queue = ['Fixture-Work']) {
  const file = temporary('messages.json');
  await writeFile(file, typeof messages === 'string' ? messages : JSON.stringify(messages));
  const app = ['--app', temporary('assembly'), '--queue', ...queue, '--messages', file];
  return await runCommandLine('measure', ...app, ...options);
}

describe('sagabox measure --app', () => {
  it('prints what the functions of the app take, in all and for each message, and names the engine', async () => {
    const { exitCode, out, err } = await measure([work('a'), work('b')]);
    expect(err).toMatch(/\nSending 2 messages to Fixture-Work, one by one$/);
    expect(out).toEqual([
      `2 sent to Fixture-Work, one by one, on ${process.env.SAGABOX_TEST_DYNAMODB_ENGINE}`,
      '',
      'Fixture-Echo: 2 messages in 2 invocations',
      '                             in all                per message',
      'call          calls     RCU     WCU      calls     RCU     WCU',
      'UpdateItem        2       0       2          1       0       1',
      'SendMessage       2       0       0          1       0       0',
      'sum               4       0       2          2       0       1',
      '',
    ]);
    expect(exitCode).toBe(0);
  });

  it('sets the plan of a shape beside the function of the queue, and ends with 1 when it differs', async () => {
    const { exitCode, out } = await measure([work('c')], ['--saga-size', '1000', '--json']);
    expect(JSON.parse(out[0] ?? '')).toMatchObject({
      queue: 'Fixture-Work',
      messages: 1,
      functions: [{ functionName: 'Fixture-Echo', messages: 1, failures: 0, wcu: 1, perMessage: { wcu: 1 } }],
      prediction: { functionName: 'Fixture-Echo', messages: 1, predicted: { wcu: 4 }, isEqual: false },
    });
    expect(exitCode).toBe(1);
  });

  it('tells the queues of the app when there is none of that name, and a queue that feeds nobody', async () => {
    const missing = /the app has no queue 'Elsewhere'.*Fixture-Work/;
    const elsewhere = await measure([work('d')], [], ['Elsewhere']);
    expect(elsewhere).toMatchObject({ exitCode: 1, err: expect.stringMatching(missing) });
    const idle = "The queue 'Fixture-Out' feeds no function of the app";
    const out = await measure([work('d')], [], ['Fixture-Out']);
    expect(out).toMatchObject({ exitCode: 1, err: expect.stringContaining(idle) });
  });
});
