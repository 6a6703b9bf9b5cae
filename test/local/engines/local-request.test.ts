import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { foreignRequest } from '../../../lib/local/engines/local-request.ts';
import type { RunningEngine } from '../../../lib/local/engines/running-engine.ts';
import { startSqsEmulator } from '../../../lib/local/engines/sqs/emulator.ts';
import { startEventEmulator } from '../../../lib/local/events/emulator.ts';
import { startClientEndpoint } from '../../../lib/local/proxy/client-endpoint.ts';
import { startFaultProxy } from '../../../lib/local/proxy/fault-proxy.ts';
import { readSources } from '../../support/source-files.ts';

describe('a request to a server of this machine', () => {
  it.each([
    [{ host: '127.0.0.1:4000' }],
    [{ host: '127.8.9.10' }],
    [{ host: 'localhost:4000' }],
    [{ host: 'LOCALHOST' }],
    [{ host: 'bucket.name.localhost:4000' }],
    [{ host: '[::1]:4000' }],
    [{ host: '127.0.0.1:4000', origin: 'http://localhost:5173', 'sec-fetch-site': 'cross-site' }],
    [{ host: 'localhost:4000', origin: 'https://127.0.0.1', 'sec-fetch-site': 'same-site' }],
    [{ host: '127.0.0.1:4000', 'sec-fetch-site': 'none' }],
    [{ host: '127.0.0.1:4000', 'sec-fetch-site': 'same-origin' }],
  ])('of it is answered: %j', (headers) => {
    expect(foreignRequest(headers)).toBeUndefined();
  });

  it.each([
    [{}],
    [{ host: '' }],
    [{ host: 'rebound.example:4000' }],
    [{ host: '127.0.0.1.rebound.example' }],
    [{ host: 'rebound.example#.localhost' }],
    [{ host: 'rebound.example@localhost' }],
    [{ host: 'notlocalhost:4000' }],
    [{ host: 'localhost.rebound.example' }],
    [{ host: '10.0.0.7:4000' }],
    [{ host: '0.0.0.0:4000' }],
    [{ host: 'localhost:4000', origin: 'https://page.example' }],
    [{ host: 'localhost:4000', origin: 'https://localhost.page.example' }],
    [{ host: 'localhost:4000', origin: 'https://page.example/http://localhost' }],
    [{ host: 'localhost:4000', origin: 'null' }],
    [{ host: 'localhost:4000', origin: '' }],
    [{ host: 'localhost:4000', 'sec-fetch-site': 'cross-site' }],
  ])('of a page of somebody else is refused: %j', (headers) => {
    expect(foreignRequest(headers)).toMatch(/^Refused: .*127.0.0.1|localhost/);
  });
});

describe('each server', () => {
  const started: { readonly stop: () => Promise<void> }[] = [];
  const addresses = new Map<string, string>();

  beforeAll(async () => {
    const keep = async (name: string, starting: Promise<RunningEngine>): Promise<string> => {
      const server = await starting;
      started.push(server);
      addresses.set(name, server.endpoint);
      return server.endpoint;
    };
    const sqs = await keep('SQS', startSqsEmulator());
    const events = await keep('events', startEventEmulator({ sqsEndpoint: sqs }));
    const engines = { dynamodb: sqs, sqs, sns: sqs, s3: sqs, eventbridge: events, scheduler: events };
    const invoke = async () => ({ kind: 'result', result: 'invoked' }) as const;
    const lambda = { invoke, mapping: () => undefined };
    const stackOutputs = () => new Map();
    const clients = await keep('clients', startClientEndpoint({ engines, lambda, stackOutputs, port: 0 }));
    const proxy = await startFaultProxy({
      engines: { ...engines, lambda: clients },
      faults: [],
      onAnswer: () => {},
      onFault: () => {},
    });
    started.push(proxy);
    const { sqs: endpoint } = proxy.admit({ id: 'i1', functionName: 'f', kill: () => {} });
    addresses.set('faults', endpoint);
  });

  afterAll(async () => {
    for (const server of started.reverse()) await server.stop();
  });

  /** As SQS takes it in a form, which a page may send without asking. */
  async function listQueues(name: string, headers: Record<string, string>) {
    const address = addresses.get(name) ?? '';
    const scope = encodeURIComponent('local/20260101/us-east-1/sqs/aws4_request');
    const { promise, resolve, reject } = Promise.withResolvers<{
      status: number | undefined;
      answer: string;
    }>();
    const path = `${new URL(address).pathname.replace(/\/$/, '')}/?X-Amz-Credential=${scope}`;
    request(address, { method: 'POST', path, headers }, async (response) =>
      resolve({ status: response.statusCode, answer: await text(response) }),
    )
      .on('error', reject)
      .end('Action=ListQueues&Version=2012-11-05');
    return await promise;
  }

  it.each(['SQS', 'events', 'clients', 'faults'])(
    'refuses what a page of somebody else sends: %s',
    async (name) => {
      const type = { 'content-type': 'application/x-www-form-urlencoded' };
      for (const headers of [
        { host: `rebound.example:${new URL(addresses.get(name) ?? '').port}` },
        { origin: 'https://page.example' },
        { 'sec-fetch-site': 'cross-site' },
      ]) {
        const { status, answer } = await listQueues(name, { ...type, ...headers });
        expect([status, answer]).toEqual([403, expect.stringMatching(/^Refused: /)]);
      }
      expect((await listQueues(name, type)).status).not.toBe(403);
    },
  );

  it('is one of these: no other code listens', () => {
    const listening = readSources('lib')
      .filter(({ code }) => /\bcreateServer\(|\.listen\(/.test(code))
      .map(({ path }) => path);
    expect(listening).toEqual([
      'lib/local/engines/loopback-server.ts',
      'lib/local/engines/sqs/emulator-thread.ts',
    ]);
  });

  it('of a test or a tool is one of these too, or passes bytes on to one', () => {
    const others = ['bin', 'test', 'bench', 'examples', 'lambdas', 'site']
      .flatMap((folder) => readSources(folder))
      .filter(({ code, path }) => /\bcreateServer\(|\.listen\(/.test(code) && path !== own)
      .map(({ path }) => path);
    expect(others).toEqual([
      // fauxqs as it is, to compare with.
      'test/local/engines/sqs/messages.test.ts',
      'test/soak/faults/service-proxy.ts',
    ]);
  });
  const own = 'test/local/engines/local-request.test.ts';
});
