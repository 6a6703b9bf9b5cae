import { mkdir, writeFile } from 'node:fs/promises';
import { afterEach, describe, expect, it } from '@jest/globals';
import { isRunning } from '../support/processes.ts';
import { directoryOfTest } from '../support/temporary-directory.ts';
import { RicInstance } from './ric-instance.ts';
import { startRuntimeApi } from './runtime-api.ts';

const temporary = directoryOfTest();
const instances: RicInstance[] = [];

afterEach(async () => {
  for (const instance of instances.splice(0)) await instance.stop();
});

/** As little of a runtime interface client as the Runtime API needs: the real one has to be compiled. */
const client = `
  const api = 'http://' + process.env.AWS_LAMBDA_RUNTIME_API + '/2018-06-01/runtime';
  const post = (path, body) => fetch(api + path, { method: 'POST', body: JSON.stringify(body) });
  if (process.env.FAIL_INIT) {
    await post('/init/error', { errorType: 'Runtime.ImportModuleError', errorMessage: 'no module', trace: [] });
    process.exit(1);
  }
  for (;;) {
    const next = await fetch(api + '/invocation/next');
    const event = await next.json();
    const [id, deadline, arn] = ['aws-request-id', 'deadline-ms', 'invoked-function-arn'].map((name) =>
      next.headers.get('lambda-runtime-' + name));
    if (event === 'die') process.exit(1);
    if (event === 'hang') setInterval(() => {}, 1000);
    else if (event === 'throw')
      await post('/invocation/' + id + '/error', { errorType: 'TypeError', errorMessage: 'a bug', trace: ['', 'at x'] });
    else await post('/invocation/' + id + '/response', { event, arn, isAhead: deadline > Date.now() });
  }`;

async function start(environment: Record<string, string> = {}, timeoutMs = 10_000): Promise<RicInstance> {
  await mkdir(temporary('task'), { recursive: true });
  await writeFile(temporary('client.mjs'), client);
  const instance = new RicInstance(temporary('client.mjs'), {
    id: 'instance-1',
    definition: {
      ...{ name: 'Function', assetDirectory: '', handler: 'index.handler', memoryMegabytes: 256 },
      ...{ environment, timeoutMs },
    },
    taskDirectory: temporary('task'),
    endpoints: { dynamodb: '', sqs: '', sns: '', s3: '', eventbridge: '', scheduler: '', lambda: '' },
    compileCacheDirectory: temporary('cache'),
    onOutputLine: () => undefined,
  });
  instances.push(instance);
  return instance;
}

describe('an instance on a runtime interface client', () => {
  it('hands over one event after another, and takes results and errors', async () => {
    const instance = await start();
    const arn = 'arn:aws:lambda:us-east-1:000000000000:function:Function';
    expect(await instance.invoke({ a: 1 })).toEqual({
      kind: 'result',
      result: { event: { a: 1 }, arn, isAhead: true },
    });
    expect(await instance.invoke('throw')).toEqual({
      kind: 'error',
      error: { errorType: 'TypeError', errorMessage: 'a bug', trace: ['', 'at x'] },
    });
    expect(instance.isIdle).toBe(true);
    expect(await instance.invoke('die')).toMatchObject({ kind: 'died' });
    expect(instance.isDead).toBe(true);
  });

  it('kills a client at the timeout of its function', async () => {
    const instance = await start({}, 5_000);
    // The first event: a client that begins slowly uses up the time of any other one.
    expect(await instance.invoke('hang')).toMatchObject({ kind: 'timedOut' });
    await instance.exited;
    expect(isRunning(instance.processId ?? 0)).toBe(false);
  });

  it('tells why a client cannot begin', async () => {
    const instance = await start({ FAIL_INIT: 'yes' });
    expect(await instance.invoke({})).toMatchObject({
      kind: 'error',
      error: { errorType: 'Runtime.ImportModuleError', errorMessage: 'no module' },
    });
  });

  it('ends a client that is stopped before it has begun', async () => {
    const instance = await start();
    await instance.stop();
    expect(await instance.invoke({})).toMatchObject({ kind: 'died' });
  });
});

describe('the Runtime API', () => {
  it.each([
    ['POST', '/2018-06-01/runtime/invocation/unknown/response'],
    ['GET', '/2018-06-01/runtime/other'],
  ])('refuses %s %s', async (method, path) => {
    const api = await startRuntimeApi();
    const response = await fetch(`http://${api.address}${path}`, { method });
    await api.stop();
    expect(response.status).toBe(404);
  });
});
