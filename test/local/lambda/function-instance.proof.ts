import { mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { FunctionInstance, type InvocationOutcome } from '../../../lib/local/lambda/function-instance.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';

const pathOf = temporaryDirectory();
const services = ['dynamodb', 'sqs', 'sns', 's3', 'eventbridge', 'scheduler', 'lambda'] as const;

/** Invokes `index.handler` of a bundle once for each event. */
async function invoke(file: string, code: string, ...events: unknown[]): Promise<InvocationOutcome[]> {
  const taskDirectory = await mkdtemp(pathOf('task-'));
  await writeFile(join(taskDirectory, file), code);
  const instance = new FunctionInstance({
    id: 'instance-1',
    definition: {
      name: 'Function',
      assetDirectory: taskDirectory,
      handler: 'index.handler',
      environment: { GREETING: 'hello' },
      timeoutMs: 5_000,
      memoryMegabytes: 256,
    },
    taskDirectory,
    endpoints: Object.fromEntries(services.map((service) => [service, `http://${service}`])) as never,
    compileCacheDirectory: pathOf('compile-cache'),
    onOutputLine: () => undefined,
  });
  const outcomes: InvocationOutcome[] = [];
  for (const event of events) outcomes.push(await instance.invoke(event));
  await instance.stop();
  return outcomes;
}

describe('a function instance', () => {
  it('is used again while it is warm', async () => {
    const code = 'let times = 0; export const handler = async (event) => [event, ++times];';
    expect(await invoke('index.mjs', code, 'a', 'b')).toEqual([
      { kind: 'result', result: ['a', 1] },
      { kind: 'result', result: ['b', 2] },
    ]);
  });

  it('runs CommonJS bundles', async () => {
    const code = 'exports.handler = async () => "common";';
    expect(await invoke('index.js', code, {})).toEqual([{ kind: 'result', result: 'common' }]);
  });

  it('answers undefined as null', async () => {
    expect(await invoke('index.mjs', 'export const handler = async () => {};', {})).toEqual([
      { kind: 'result', result: null },
    ]);
  });

  it('has the environment of its function and of Lambda, and nothing of ours', async () => {
    process.env.SECRET_OF_THE_PARENT = 'secret';
    const [outcome] = await invoke('index.mjs', 'export const handler = async () => process.env;', {});
    expect(outcome).toMatchObject({
      result: {
        GREETING: 'hello',
        AWS_REGION: 'us-east-1',
        AWS_LAMBDA_FUNCTION_NAME: 'Function',
        AWS_LAMBDA_FUNCTION_MEMORY_SIZE: '256',
        ...Object.fromEntries(
          services.map((service) => [`AWS_ENDPOINT_URL_${service.toUpperCase()}`, `http://${service}`]),
        ),
      },
    });
    expect(JSON.stringify(outcome)).not.toContain('SECRET_OF_THE_PARENT');
  });

  it('lives on after an error that the handler throws', async () => {
    const code = 'export const handler = async (bad) => { if (bad) throw new Error("no"); return "yes"; };';
    expect(await invoke('index.mjs', code, true, false)).toEqual([
      {
        kind: 'error',
        error: {
          errorType: 'Error',
          errorMessage: 'no',
          trace: expect.arrayContaining(['Error: no', expect.stringMatching(/^ {4}at handler/)]),
        },
      },
      { kind: 'result', result: 'yes' },
    ]);
  });

  it.each([
    ['a string', '"no"', { errorType: 'string', errorMessage: 'no', trace: [] }],
    ['nothing', 'undefined', { errorType: 'undefined', errorMessage: 'undefined', trace: [] }],
    [
      'what throws when it is looked at',
      '{ toString() { throw 1; } }',
      expect.objectContaining({ errorType: 'object' }),
    ],
  ])('tells of a handler that throws %s', async (_, thrown, error) => {
    const code = `export const handler = async () => { throw ${thrown}; };`;
    expect(await invoke('index.mjs', code, {})).toEqual([{ kind: 'error', error }]);
  });

  it.each([
    ['throws', 'throw new Error("broken module");', 'broken module'],
    ['has no such export', 'export const other = 1;', "exports no function 'handler'"],
  ])('says what is wrong with a module that %s', async (_, code, reason) => {
    expect(await invoke('index.mjs', code, {})).toEqual([
      { kind: 'error', error: expect.objectContaining({ errorMessage: expect.stringContaining(reason) }) },
    ]);
  });
});
