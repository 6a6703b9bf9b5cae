import { rename, writeFile } from 'node:fs/promises';
import { SQSClient } from '@aws-sdk/client-sqs';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type InvocationReport, type LocalApp, startLocalApp } from 'sagabox/local';
import { clientAt } from '../../support/engines.ts';
import { localAppFolder } from '../../support/local-app-folder.ts';
import { isRunning } from '../../support/processes.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { messagesIn, sendWork } from '../fixture-app.ts';
import { changeTemplate, copyFixture, replaceHandler } from '../fixture-assembly.ts';

const temporary = localAppFolder();
let app: LocalApp;
let handled: string[];
let invocations: InvocationReport[];

/** Says which version handled a message; the one with the id `slow` waits for a file. */
const handlerOf = (version: string): string => `
  import { existsSync } from 'node:fs';
  export async function handler({ Records, fail, ...event }) {
    if (fail) throw new Error(fail);
    for (const { body } of Records ?? []) {
      const { id } = JSON.parse(body);
      console.log('${version} began ' + id);
      while (id === 'slow' && !existsSync(${JSON.stringify(temporary('go-on'))}))
        await new Promise((resolve) => setTimeout(resolve, 5));
      console.log('${version} handled ' + id);
    }
    return { version: '${version}', event };
  }`;

beforeEach(async () => {
  await copyFixture(temporary('assembly'));
  await replaceHandler(temporary('assembly'), 'first', handlerOf('first'));
  [handled, invocations] = [[], []];
  app = await startLocalApp({
    assemblyDirectory: temporary('assembly'),
    onOutput: ({ line }) => handled.push(line),
    onInvocation: (report) => invocations.push(report),
  });
});

afterEach(() => app.stop());

describe('reloading a local app', () => {
  it('replaces a function that changed, and lets its invocations end on the code that they began with', async () => {
    const sqs = clientAt(SQSClient, app.clientConfig.endpoint);
    await sendWork(app, sqs, 'slow', 'succeed');
    await waitUntil(() => handled.includes('first began slow'));
    const [firstProcess = 0] = app.processIds();

    await replaceHandler(temporary('assembly'), 'second', handlerOf('second'));
    expect(await app.reload()).toEqual({ replaced: ['Fixture-Echo'], needRestart: [] });
    await sendWork(app, sqs, 'b', 'succeed');
    await waitUntil(() => handled.includes('second handled b'));
    expect(isRunning(firstProcess)).toBe(true);

    await writeFile(temporary('go-on'), '');
    await waitUntil(async () => (await messagesIn(app, sqs, 'Fixture-Work')) === 0);
    expect(handled).toContain('first handled slow');
    await waitUntil(() => !isRunning(firstProcess));
    expect(invocations.map(({ outcome }) => outcome.kind)).toEqual(['result', 'result']);
  });

  it('tells what only another start runs, and finds no change twice', async () => {
    await changeTemplate(temporary('assembly'), ({ Resources }) => {
      Resources.New = { Type: 'AWS::SQS::Queue' };
      Resources.Work.Properties.VisibilityTimeout = 90;
      delete Resources.Dead;
      Resources.Work.Properties.RedrivePolicy = undefined;
    });
    const needRestart = ['Fixture.Dead', 'Fixture.Work', 'Fixture.New'];
    expect(await app.reload()).toEqual({ replaced: [], needRestart });
    expect(await app.reload()).toEqual({ replaced: [], needRestart: [] });
  });

  it('replaces a function with another environment, without an instance of the old one left', async () => {
    await app.invoke('Echo', {});
    const [before = 0] = app.processIds();
    await changeTemplate(temporary('assembly'), ({ Resources }) => {
      Resources.Echo.Properties.Environment.Variables.NEW = 'yes';
    });
    expect(await app.reload()).toMatchObject({ replaced: ['Fixture-Echo'] });
    expect(isRunning(before)).toBe(false);
  });

  it('replaces later what it could not replace, as when a synth has not written all code yet', async () => {
    await changeTemplate(temporary('assembly'), ({ Resources }) => {
      Resources.New = { Type: 'AWS::SQS::Queue' };
    });
    await replaceHandler(temporary('assembly'), 'second', handlerOf('second'));
    await rename(temporary('assembly/asset.second'), temporary('elsewhere'));
    await expect(app.reload()).rejects.toMatchObject({
      code: 'Configuration',
      message: expect.stringContaining('Run cdk synth again'),
    });
    expect(await app.invoke('Echo', {})).toMatchObject({ result: { version: 'first' } });
    await rename(temporary('elsewhere'), temporary('assembly/asset.second'));
    expect(await app.reload()).toEqual({ replaced: ['Fixture-Echo'], needRestart: ['Fixture.New'] });
    expect(await app.invoke('Echo', {})).toMatchObject({ result: { version: 'second' } });
  });

  it('runs on when there is nothing to read', async () => {
    await writeFile(temporary('assembly/manifest.json'), '{');
    await expect(app.reload()).rejects.toMatchObject({ code: 'Configuration' });
    expect(await app.invoke('Fixture-Echo', { a: 1 })).toMatchObject({ kind: 'result' });
  });
});

it('clients share no credentials, into which the SDK writes', async () => {
  expect(app.clientConfig).toEqual(app.clientConfig);
  expect(app.clientConfig.credentials).not.toBe(app.clientConfig.credentials);
});

describe('invoking a function of a local app', () => {
  it('returns what the handler does with the event', async () => {
    const result = { version: 'first', event: { path: '/orders' } };
    expect(await app.invoke('Echo', { path: '/orders' })).toEqual({ kind: 'result', result });
    expect(await app.invoke('Echo', { fail: 'a bug' })).toMatchObject({
      kind: 'error',
      error: { errorType: 'Error', errorMessage: 'a bug', trace: expect.arrayContaining(['Error: a bug']) },
    });
    expect(invocations).toMatchObject([{ functionName: 'Fixture-Echo', records: [] }, { records: [] }]);
  });

  it('refuses an event that JSON cannot hold, and goes on', async () => {
    const circular: Record<string, unknown> = {};
    circular.itself = circular;
    for (const event of [{ a: 1n }, circular, undefined]) {
      await expect(app.invoke('Echo', event)).rejects.toMatchObject({
        code: 'Configuration',
        message: expect.stringMatching(/^event: JSON cannot hold it: .+\. Give the function/),
      });
    }
    expect(invocations).toEqual([]);
    expect(await app.invoke('Echo', {})).toMatchObject({ kind: 'result' });
  });

  it('refuses a function that the app does not have', async () => {
    await expect(app.invoke('Eco', {})).rejects.toThrow('Name one of its functions: Echo (Fixture-Echo)');
  });
});
