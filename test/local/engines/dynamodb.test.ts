import { afterEach, describe, expect, it } from '@jest/globals';
import { type DynamoDBEngine, startDynamoDB } from '../../../lib/local/engines/dynamodb.ts';
import { startLoopbackServer } from '../../../lib/local/engines/loopback-server.ts';
import { descendantsOf, isListening } from '../../support/processes.ts';

const endpointVariable = 'SAGABOX_DYNAMODB_ENDPOINT';
const engineVariable = 'SAGABOX_DYNAMODB_ENGINE';
const original = { ...process.env };
const release: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const name of [endpointVariable, engineVariable, 'JAVA_HOME']) {
    if (original[name] === undefined) delete process.env[name];
    else process.env[name] = original[name];
  }
  for (const end of release.splice(0)) await end();
});

async function started(...options: Parameters<typeof startDynamoDB>): Promise<DynamoDBEngine> {
  const engine = await startDynamoDB(...options);
  release.push(() => engine.stop());
  return engine;
}

/** A server of something else. */
async function listen(status: number, answer: string): Promise<{ endpoint: string; port: number }> {
  const { endpoint, stop } = await startLoopbackServer(async (_request, response) => {
    response.writeHead(status).end(answer);
  });
  release.push(stop);
  return { endpoint, port: Number(new URL(endpoint).port) };
}

describe('starting a DynamoDB engine', () => {
  it('tells what was started, and leaves nothing listening when it is stopped', async () => {
    const engine = await startDynamoDB();
    expect(engine).toMatchObject({
      name: expect.stringMatching(/^(dynoxide \d|DynamoDB Local)/),
      isShared: false,
    });
    expect(await isListening(engine.endpoint)).toBe(true);
    await engine.stop();
    expect(await isListening(engine.endpoint)).toBe(false);
  });

  it.each(['before', 'while'])('ends with the reason when it is interrupted %s it starts', async (when) => {
    const interrupt = new AbortController();
    if (when === 'before') interrupt.abort(new Error('enough'));
    const starting = startDynamoDB({ signal: interrupt.signal });
    interrupt.abort(new Error('enough'));
    await expect(starting).rejects.toThrow('enough');
  });

  it('refuses a port that is taken, with the name of the engine and the way out', async () => {
    const { port } = await listen(200, 'taken');
    await expect(startDynamoDB({ port })).rejects.toMatchObject({
      code: 'Configuration',
      message: expect.stringMatching(
        new RegExp(`^(dynoxide|DynamoDB Local): port ${port} .* taken.*${endpointVariable}`),
      ),
    });
  });

  it('takes the port that it is given', async () => {
    const { port } = await listen(200, 'soon free');
    await Promise.all(release.splice(0).map((end) => end()));
    expect((await started({ port })).endpoint).toBe(`http://127.0.0.1:${port}`);
  });
});

describe('an engine that ends while it is in use', () => {
  it('rejects its promise with its name and the ways out', async () => {
    const before = descendantsOf(process.pid);
    const engine = await started();
    for (const id of descendantsOf(process.pid)) if (!before.includes(id)) process.kill(id, 'SIGKILL');
    await expect(engine.failed).rejects.toMatchObject({
      code: 'Configuration',
      message: expect.stringMatching(
        /^(dynoxide|DynamoDB Local).*ended while it was in use.*SAGABOX_DYNAMODB/s,
      ),
    });
  });

  it('does not when it is stopped', async () => {
    const engine = await startDynamoDB();
    await engine.stop();
    const ends = await Promise.race([engine.failed, Promise.resolve('nothing')]);
    expect(ends).toBe('nothing');
  });
});

describe('an engine that runs already', () => {
  const endpoint = process.env.SAGABOX_TEST_DYNAMODB_ENDPOINT ?? '';
  const name = process.env.SAGABOX_TEST_DYNAMODB_ENGINE;

  it.each([
    ['the environment names it', endpoint, {}],
    ['it is given', 'http://127.0.0.1:1', { endpoint }],
  ])('is used when %s, whichever engine is chosen, and left running', async (_how, variable, options) => {
    process.env[endpointVariable] = variable;
    process.env[engineVariable] = 'no-such-engine';
    const engine = await startDynamoDB(options);
    expect(engine).toMatchObject({ endpoint, name, isShared: true });
    await engine.stop();
    expect(await isListening(endpoint)).toBe(true);
  });

  it.each([
    [200, 'hello'],
    [200, '{}'],
    [404, '{"message":"Not Found"}'],
    [400, '{"__type":"UnknownOperation"}'],
  ])('is refused when it answers %i %s: that is no DynamoDB', async (status, answer) => {
    const server = await listen(status, answer);
    await expect(startDynamoDB({ endpoint: server.endpoint })).rejects.toMatchObject({
      code: 'Configuration',
      message: expect.stringMatching(new RegExp(`'${server.endpoint}'.*no DynamoDB.*${endpointVariable}`)),
    });
  });

  it('is refused when its address is no URL', async () => {
    await expect(startDynamoDB({ endpoint: 'localhost 8000' })).rejects.toThrow(/'localhost 8000'.*no URL/);
  });

  it('is refused when nothing answers', async () => {
    process.env[endpointVariable] = 'http://127.0.0.1:1';
    await expect(startDynamoDB()).rejects.toMatchObject({
      code: 'Configuration',
      message: expect.stringMatching(/'http:\/\/127\.0\.0\.1:1'.*nothing answers/),
    });
  });
});
