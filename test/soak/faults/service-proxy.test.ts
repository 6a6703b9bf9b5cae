import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { startLoopbackServer } from '../../../lib/local/engines/loopback-server.ts';
import type { RunningEngine } from '../../../lib/local/engines/running-engine.ts';
import { Random } from '../../support/random.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { ServiceProxy, type Silence } from './service-proxy.ts';

const small = 'x';
/** More than sockets buffer. */
const large = small.repeat(3_000_000);

describe('a proxy in front of a service', () => {
  let taken: string[];
  let silences: Silence[];
  let beforeAnswer: () => Promise<void>;
  let service: RunningEngine;
  let proxy: ServiceProxy;

  beforeEach(async () => {
    taken = [];
    silences = [];
    beforeAnswer = async () => {};
    service = await startLoopbackServer(async (request, response) => {
      taken.push(request.url ?? '');
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      await beforeAnswer();
      response.end(Buffer.concat(chunks));
    });
    const { endpoint } = service;
    const onSilence = (silence: Silence) => silences.push(silence);
    proxy = new ServiceProxy({ endpoint, random: new Random(1), onSilence });
    await proxy.start();
  });

  afterEach(async () => {
    await proxy.stop();
    await service.stop();
  });

  async function ask(path: string, body: string, { signal } = new AbortController()): Promise<string> {
    const options = { method: 'POST', body, signal };
    return await (await fetch(`${proxy.endpoint}${path}`, options)).text();
  }

  it('passes requests and answers of any size on', async () => {
    expect(await ask('/first', large)).toBe(large);
    expect(await ask('/second', large)).toBe(large);
    expect(taken).toEqual(['/first', '/second']);
    expect(silences).toEqual([]);
  });

  it('gives no answer while it is silent; some requests take effect, and some never do', async () => {
    await ask('/before', small);
    proxy.isSilent = true;
    const paths = Array.from({ length: 12 }, (_, index) => `/${index}`);
    const patience = new AbortController();
    let answers = 0;
    const asking = Promise.allSettled(
      paths.map(async (path) => {
        await ask(path, small, patience);
        answers += 1;
      }),
    );
    const unanswered = () => silences.filter((silence) => silence === 'unanswered').length;
    await waitUntil(() => silences.length === paths.length && taken.length === 1 + unanswered());
    const effects = taken.length - 1;
    proxy.isSilent = false;
    expect(await ask('/after', small)).toBe(small);
    patience.abort();
    await asking;
    expect(answers).toBe(0);
    expect(effects).toBe(unanswered());
    expect(effects).toBeGreaterThan(0);
    expect(effects).toBeLessThan(paths.length);
    expect(taken).toHaveLength(effects + 2);
  });

  it('keeps back answers of requests that came before the silence, also when it is over', async () => {
    const { promise: answering, resolve: answer } = Promise.withResolvers<void>();
    beforeAnswer = () => answering;
    const patience = new AbortController();
    const waiting = expect(ask('/before', small, patience)).rejects.toThrow('aborted');
    await waitUntil(() => taken.length === 1);
    proxy.isSilent = true;
    answer();
    await waitUntil(() => silences.length === 1);
    proxy.isSilent = false;
    expect(await ask('/after', small)).toBe(small);
    patience.abort();
    await waiting;
    expect(silences).toEqual(['unanswered']);
  });
});
