/**
 * Entry of the emulator's thread. The emulator keeps all its times with `Date.now()`, and a thread has a
 * `Date` of its own: that is the one place where the clock of the queues is scaled.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { scaledClock } from '../../app/scaled-clock.ts';
import { foreignRequest } from '../local-request.ts';
import { takeEveryCharacter } from './message-characters.ts';

const clock = scaledClock(workerData.timeScale, Date.now);
Date.now = clock.now;
parentPort?.on('message', (message: { advanceClockMs: number }) => clock.advance(message.advanceClockMs));

const { buildApp } = await import('fauxqs');
await takeEveryCharacter();
const emulator = buildApp({ logger: false });
emulator.addHook('onRequest', async ({ headers }, reply) => {
  const refusal = foreignRequest(headers);
  if (refusal !== undefined) return await reply.code(403).type('text/plain').send(refusal);
});
// The host that fauxqs gives queue URLs resolves on few machines: the one of the request does.
emulator.addHook('preSerialization', async ({ headers: { host } }, _reply, answer: QueueUrls | undefined) => {
  const { QueueUrl: url, QueueUrls: urls } = answer ?? {};
  if (url === undefined && urls === undefined) return answer;
  const atHost = (queueUrl: string): string => queueUrl.replace(/^http:\/\/[^/]*/, `http://${host}`);
  return { ...answer, ...(url && { QueueUrl: atHost(url) }), ...(urls && { QueueUrls: urls.map(atHost) }) };
});
parentPort?.postMessage(await emulator.listen({ port: 0, host: '127.0.0.1' }));

/** In the answers to CreateQueue, GetQueueUrl and ListQueues. */
interface QueueUrls {
  readonly QueueUrl?: string;
  readonly QueueUrls?: readonly string[];
}
