/**
 * Entry of the emulator's thread. The emulator keeps all its times with `Date.now()`, and a thread has a
 * `Date` of its own: that is the one place where the clock of the queues is scaled.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { scaledClock } from '../../app/scaled-clock.ts';

const clock = scaledClock(workerData.timeScale, Date.now);
Date.now = clock.now;
parentPort?.on('message', (message: { advanceClockMs: number }) => clock.advance(message.advanceClockMs));

const { buildApp } = await import('fauxqs');
const emulator = await buildApp({ logger: false });
parentPort?.postMessage(await emulator.listen({ port: 0, host: '127.0.0.1' }));
