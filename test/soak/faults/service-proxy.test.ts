import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Random } from '../../../bench/cost/random.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { ServiceProxy, type Silence } from './service-proxy.ts';

const large = 'x'.repeat(3_000_000);

describe('a proxy in front of a service', () => {
  let taken: string[];
  let silences: Silence[];
  let beforeAnswer: () => Promise<void>;
  let service: Server;
  let proxy: ServiceProxy;

  beforeEach(async () => {
    taken = [];
    silences = [];
    beforeAnswer = async () => {};
    service = createServer(async (request, response) => {
      taken.push(request.url ?? '');
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      await beforeAnswer();
      response.end(Buffer.concat(chunks));
    }).listen(0, '127.0.0.1');
    await once(service, 'listening');
    const endpoint = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
    const onSilence = (silence: Silence) => silences.push(silence);
    proxy = new ServiceProxy({ endpoint, random: new Random(1), onSilence });
    await proxy.start();
  });

  afterEach(async () => {
    await proxy.stop();
    service.closeAllConnections();
    await new Promise((resolve) => service.close(resolve));
  });

  async function ask(path: string, timeoutMs = 10_000): Promise<string> {
    const signal = AbortSignal.timeout(timeoutMs);
    const options = { method: 'POST', body: large, signal };
    return await (await fetch(`${proxy.endpoint}${path}`, options)).text();
  }

  it('passes requests and answers of any size on', async () => {
    expect(await ask('/first')).toBe(large);
    expect(await ask('/second')).toBe(large);
    expect(taken).toEqual(['/first', '/second']);
    expect(silences).toEqual([]);
  });

  it('gives no answer while it is silent; some requests take effect, and some never do', async () => {
    await ask('/before');
    proxy.isSilent = true;
    const paths = Array.from({ length: 12 }, (_, index) => `/${index}`);
    const answers = await Promise.allSettled(paths.map((path) => ask(path, 500)));
    expect(answers.map(({ status }) => status)).toEqual(paths.map(() => 'rejected'));
    const effects = taken.length - 1;
    expect(silences.filter((silence) => silence === 'unanswered')).toHaveLength(effects);
    expect(silences).toHaveLength(paths.length);
    expect(effects).toBeGreaterThan(0);
    expect(effects).toBeLessThan(paths.length);

    proxy.isSilent = false;
    expect(await ask('/after')).toBe(large);
    expect(taken).toHaveLength(effects + 2);
  });

  it('keeps back answers of requests that came before the silence, also when it is over', async () => {
    const { promise: answering, resolve: answer } = Promise.withResolvers<void>();
    beforeAnswer = () => answering;
    const waiting = expect(ask('/before', 1000)).rejects.toThrow('timeout');
    await waitUntil(() => taken.length === 1);
    proxy.isSilent = true;
    answer();
    await waitUntil(() => silences.length === 1);
    proxy.isSilent = false;
    await waiting;
    expect(silences).toEqual(['unanswered']);
  });
});
