import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createHandler, defineHandlers } from 'sagabox';
import { sqsRecord } from 'sagabox/testing';
import * as v from 'valibot';
import { loadedEnvironment, loadSettings } from '../../lib/compose/load-settings.ts';
import { ParameterStore } from '../support/parameter-store.ts';

const store = new ParameterStore();
const environment = { ...process.env };

beforeAll(async () => {
  const AWS_ENDPOINT_URL_SSM = await store.start();
  const AWS_ACCESS_KEY_ID = 'test';
  const AWS_SECRET_ACCESS_KEY = 'test';
  const AWS_REGION = 'eu-west-1';
  Object.assign(process.env, {
    AWS_ENDPOINT_URL_SSM,
    AWS_ACCESS_KEY_ID,
    AWS_SECRET_ACCESS_KEY,
    AWS_REGION,
    SAGABOX_ACCOUNT_ID: '123456789012',
  });
});
beforeEach(() => {
  store.parameters.clear();
  store.calls.length = 0;
  store.failures.length = 0;
});
afterEach(() => {
  delete process.env.SAGABOX_DESTINATIONS;
});
afterAll(async () => {
  process.env = environment;
  await store.stop();
});

let paths = 0;
/** The module keeps what it has loaded, as a function does: each test has a path of its own. */
function keep(json: string): { SAGABOX_DESTINATIONS: string } {
  return { SAGABOX_DESTINATIONS: `ssm:${keepParts(json.slice(0, 5), json.slice(5))}#2` };
}

function keepParts(...parts: string[]): string {
  const path = `/sagabox/Shop/${++paths}`;
  for (const [index, part] of parts.entries()) store.parameters.set(`${path}/00${index}`, part);
  return path;
}

const destinations = '{"billing":"billing"}';

describe('settings in Systems Manager', () => {
  it('take the place of the reference, and leave all other variables as they are', async () => {
    const given = { ...keep(destinations), SAGABOX_ENDPOINT: 'orders', OTHER: 'ssm:/not/ours' };
    await loadSettings(given);
    expect(loadedEnvironment(given)).toEqual({ ...given, SAGABOX_DESTINATIONS: destinations });
  });

  it('are not asked for when the environment holds the settings themselves', async () => {
    const given = { SAGABOX_DESTINATIONS: destinations };
    await loadSettings(given);
    expect(loadedEnvironment(given)).toBe(given);
    expect(store.calls).toEqual([]);
  });

  it('are loaded once for the process, also for calls at the same time', async () => {
    const given = keep(destinations);
    await Promise.all(Array.from({ length: 100 }, () => loadSettings(given)));
    await loadSettings(given);
    expect(store.calls).toHaveLength(1);
  });

  it('of several variables come from one call', async () => {
    const scheduler = `ssm:${keepParts('{"groupName":"a"}')}#1`;
    const given = { ...keep(destinations), SAGABOX_SCHEDULER: scheduler };
    await loadSettings(given);
    expect(loadedEnvironment(given)).toEqual({
      SAGABOX_DESTINATIONS: destinations,
      SAGABOX_SCHEDULER: '{"groupName":"a"}',
    });
    expect(store.calls.map((names) => names.length)).toEqual([3]);
  });

  it('of two generations are never mixed, whichever of them the store has', async () => {
    const before = keepParts('{"billing":', '"of before"}');
    const now = keepParts('{"billing":', '"of now"}');
    const settingOf = async (reference: string) => {
      await loadSettings({ SAGABOX_DESTINATIONS: reference });
      return loadedEnvironment({ SAGABOX_DESTINATIONS: reference }).SAGABOX_DESTINATIONS;
    };
    const last = store.parameters.get(`${now}/001`) ?? '';
    store.parameters.delete(`${now}/001`);
    await expect(settingOf(`ssm:${now}#2`)).rejects.toMatchObject({ code: 'SettingsNotLoaded' });
    expect(await settingOf(`ssm:${before}#2`)).toBe('{"billing":"of before"}');
    store.parameters.set(`${now}/001`, last);
    expect(await settingOf(`ssm:${now}#2`)).toBe('{"billing":"of now"}');
  });

  it('that are no JSON text are not kept: the next call asks again', async () => {
    const path = keepParts('{"billing":', '"cut');
    const given = { SAGABOX_DESTINATIONS: `ssm:${path}#2` };
    await expect(loadSettings(given)).rejects.toMatchObject({
      code: 'SettingsNotLoaded',
      retryable: true,
      facts: { path, detail: 'its 2 parts together are no JSON text' },
    });
    expect(loadedEnvironment(given)).toEqual(given);
    store.parameters.set(`${path}/001`, '"billing"}');
    await loadSettings(given);
    expect(loadedEnvironment(given)).toEqual({ SAGABOX_DESTINATIONS: destinations });
  });

  it('that are throttled are asked for again while half of the time is left', async () => {
    store.failures.push('ThrottlingException');
    const given = keep(destinations);
    await loadSettings(given, () => 30_000);
    expect(store.calls).toHaveLength(2);
    store.failures.push('ThrottlingException');
    const times = [30_000, 14_999];
    await expect(loadSettings(keep(destinations), () => times.shift() ?? 0)).rejects.toMatchObject({
      code: 'SettingsNotLoaded',
    });
    expect(store.calls).toHaveLength(3);
  });

  it('are asked for again after a failure, which all calls at the same time see', async () => {
    const given = keep(destinations);
    store.failures.push('AccessDeniedException');
    const [one, other] = await Promise.allSettled([loadSettings(given), loadSettings(given)]);
    const failure = { status: 'rejected', reason: expect.objectContaining({ code: 'SettingsNotLoaded' }) };
    expect([one, other]).toEqual([failure, failure]);
    expect(loadedEnvironment(given)).toEqual(given);
    await loadSettings(given);
    expect(loadedEnvironment(given)).toEqual({ SAGABOX_DESTINATIONS: destinations });
    expect(store.calls).toHaveLength(2);
  });
});

describe('a function whose settings cannot be loaded', () => {
  it('returns its messages, and handles them when the settings are there', async () => {
    const handled: string[] = [];
    const definition = defineHandlers({
      messages: { Ship: v.object({}) },
      handlers: { Ship: ({ id }) => void handled.push(id) },
    });
    Object.assign(process.env, keep(destinations));
    const logger = { info: () => {}, warn: () => {}, error: () => {} };
    const recoverability = { immediateRetries: { maxRetries: 0 } };
    const handler = createHandler(definition, {
      endpoint: 'orders',
      outbox: false,
      throwOnFullBatchFailure: false,
      recoverability,
      logger,
    });
    const event = {
      Records: ['a', 'b'].map((id) => sqsRecord({ id, sqsMessageId: id, type: 'Ship', body: {} })),
    };
    // One for the batch, one for its messages.
    store.failures.push('AccessDeniedException', 'AccessDeniedException');
    expect(await handler(event)).toEqual({
      batchItemFailures: [{ itemIdentifier: 'a' }, { itemIdentifier: 'b' }],
    });
    expect(handled).toEqual([]);
    expect(await handler(event)).toEqual({ batchItemFailures: [] });
    expect(handled.toSorted()).toEqual(['a', 'b']);
    expect(store.calls).toHaveLength(3);
  });
});
