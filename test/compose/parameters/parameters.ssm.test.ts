import { SSMClient } from '@aws-sdk/client-ssm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { loadParameters } from '../../../lib/compose/parameters/parameters.ssm.ts';
import { parameterNames } from '../../../lib/settings/settings-reference.ts';
import { ParameterStore } from '../../support/parameter-store.ts';

const store = new ParameterStore();
let client: SSMClient;
let waits: number[];

beforeAll(async () => {
  const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
  client = new SSMClient({ endpoint: await store.start(), region: 'eu-west-1', credentials, maxAttempts: 1 });
});
beforeEach(() => {
  store.parameters.clear();
  store.calls.length = 0;
  store.failures.length = 0;
  waits = [];
});
afterAll(async () => {
  client.destroy();
  await store.stop();
});

function load(names: readonly string[], mayWait: (delayMs: number) => boolean = () => true) {
  const sleep = async (delayMs: number) => void waits.push(delayMs);
  return loadParameters(names, client, { sleep, random: () => 0.5, mayWait });
}

function keep(count: number): string[] {
  const names = parameterNames({ path: '/shop/a', count });
  for (const [index, name] of names.entries()) store.parameters.set(name, `${index};`);
  return names;
}

describe('parameters', () => {
  it.each([
    [1, [1]],
    [10, [10]],
    [11, [10, 1]],
    [25, [10, 10, 5]],
  ])('come by name, %i of them from calls of %j', async (count, calls) => {
    const names = keep(count);
    keep(count + 1);
    expect(await load(names)).toEqual(new Map(names.map((name, index) => [name, `${index};`])));
    expect(store.calls.map((asked) => asked.length).toSorted((one, other) => other - one)).toEqual(calls);
    expect(store.calls.flat().toSorted()).toEqual(names);
  });

  it('of which one is missing are an error that names it, and that is worth another try', async () => {
    const names = keep(12);
    store.parameters.delete('/shop/a/010');
    await expect(load(names)).rejects.toMatchObject({
      code: 'SettingsNotLoaded',
      retryable: true,
      facts: { path: '/shop/a/010', detail: 'there is no such parameter' },
    });
  });

  it('that are refused are an error with its cause, at once', async () => {
    store.failures.push('AccessDeniedException');
    await expect(load(keep(1))).rejects.toMatchObject({
      code: 'SettingsNotLoaded',
      facts: { path: '/shop/a/000', detail: 'no' },
      cause: expect.objectContaining({ name: 'AccessDeniedException' }),
    });
    expect([store.calls.length, waits]).toEqual([1, []]);
  });

  it('are asked for again when the service throttles, after growing delays with jitter', async () => {
    store.failures.push(...Array(7).fill('ThrottlingException'));
    expect(await load(keep(1))).toEqual(new Map([['/shop/a/000', '0;']]));
    expect(waits).toEqual([50, 100, 200, 400, 800, 1000, 1000]);
  });

  it('are given up when the service throttles them eight times', async () => {
    store.failures.push(...Array(8).fill('ThrottlingException'));
    await expect(load(keep(1))).rejects.toMatchObject({
      cause: expect.objectContaining({ name: 'ThrottlingException' }),
    });
    expect(store.calls).toHaveLength(8);
  });

  it('are given up when there is no time to wait', async () => {
    store.failures.push(...Array(8).fill('ThrottlingException'));
    await expect(load(keep(1), (delayMs) => delayMs < 200)).rejects.toMatchObject({
      code: 'SettingsNotLoaded',
    });
    expect(waits).toEqual([50, 100]);
  });
});
