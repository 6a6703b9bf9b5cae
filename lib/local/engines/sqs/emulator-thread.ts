/**
 * Entry of the emulator's thread. The emulator keeps all its times with `Date.now()`, and a thread has a
 * `Date` of its own: that is the one place where the clock of the queues is scaled.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { scaledClock } from '../../app/scaled-clock.ts';
import type { SqsEmulatorThreadData, SqsEmulatorThreadMessage } from './emulator.ts';

const { timeScale } = workerData as SqsEmulatorThreadData;
const clock = scaledClock(timeScale, Date.now);
Date.now = clock.now;

parentPort?.on('message', (message: { advanceClockMs: number }) => clock.advance(message.advanceClockMs));
parentPort?.postMessage(await start());

async function start(): Promise<SqsEmulatorThreadMessage> {
  try {
    const { buildApp } = await import('fauxqs');
    const emulator = await buildApp({ logger: false });
    return { listening: await emulator.listen({ port: 0, host: '127.0.0.1' }) };
  } catch (error) {
    // A package that fauxqs needs itself is none that users install.
    const { code, message } = error as NodeJS.ErrnoException;
    const isMissing = code === 'ERR_MODULE_NOT_FOUND' && message.includes("'fauxqs'");
    return { failed: String(error), isMissing };
  }
}
