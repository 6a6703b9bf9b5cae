import { afterEach, describe, expect, it } from '@jest/globals';
import { startDynamoDBLocal } from '../../lib/local/dynamodb-local.ts';

const variable = 'SAGABOX_DYNAMODB_ENDPOINT';

afterEach(() => {
  delete process.env[variable];
});

describe('starting DynamoDB Local', () => {
  it('says what is missing, and how to go on, without Java', async () => {
    await expect(startDynamoDBLocal({ javaCommand: 'no-such-java' })).rejects.toMatchObject({
      code: 'Configuration',
      message: expect.stringMatching(/Java 17.*SAGABOX_DYNAMODB_ENDPOINT/),
    });
  });

  it.each(['before', 'while'])('ends with the reason when it is interrupted %s it starts', async (when) => {
    const interrupt = new AbortController();
    if (when === 'before') interrupt.abort(new Error('enough'));
    const starting = startDynamoDBLocal({ signal: interrupt.signal });
    interrupt.abort(new Error('enough'));
    await expect(starting).rejects.toThrow('enough');
  });

  it('uses the engine that the environment names, and leaves it running', async () => {
    const endpoint = process.env.SAGABOX_TEST_DYNAMODB_ENDPOINT;
    process.env[variable] = endpoint;
    const engine = await startDynamoDBLocal({ javaCommand: 'no-such-java' });
    await engine.stop();
    expect(engine.endpoint).toBe(endpoint);
    expect((await fetch(engine.endpoint)).status).toBe(400);
  });
});
