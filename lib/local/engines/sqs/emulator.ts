import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { SagaboxError } from '../../../core/failures/errors.ts';
import type { RunningEngine } from '../running-engine.ts';
import { siblingModule } from '../sibling-module.ts';

export interface SqsEmulatorOptions {
  /**
   * How many seconds of the queues pass in one real second: visibility timeouts, delays and retention run
   * that much faster.
   *
   * @default 1
   */
  readonly timeScale?: number;
  /** Ends the start, which throws the reason and leaves nothing running. It has no effect afterwards. */
  readonly signal?: AbortSignal;
}

export interface SqsEmulator extends RunningEngine {
  /** Lets the clock of the queues jump ahead, by milliseconds of that clock. */
  readonly advanceClock: (milliseconds: number) => void;
}

/** What the thread of the emulator is started with, and what it answers. */
export interface SqsEmulatorThreadData {
  readonly timeScale: number;
}
export type SqsEmulatorThreadMessage = { listening: string } | { failed: string; isMissing: boolean };

/**
 * Starts an emulator of SQS, and of SNS and S3 at the same endpoint, on a free loopback port, in a thread of
 * this process: it cannot outlive us.
 *
 * @throws SagaboxError `Configuration` when the package `fauxqs` is missing or cannot start.
 *
 * @example
 * ```ts
 * import { startSqsEmulator } from 'sagabox/local';
 *
 * const emulator = await startSqsEmulator({ timeScale: 60 });
 * // ... new SQSClient({ endpoint: emulator.endpoint })
 * await emulator.stop();
 * ```
 */
export async function startSqsEmulator(options: SqsEmulatorOptions = {}): Promise<SqsEmulator> {
  const { signal } = options;
  signal?.throwIfAborted();
  const workerData: SqsEmulatorThreadData = { timeScale: options.timeScale ?? 1 };
  const thread = new Worker(siblingModule(import.meta.url, 'emulator-thread'), {
    workerData,
    execArgv: [],
  });
  const stop = async (): Promise<void> => {
    await thread.terminate();
  };
  const answer = once(thread, 'message', signal ? { signal } : {});
  const [message] = (await answer.catch(async (error: unknown) => {
    await stop();
    throw signal?.aborted ? signal.reason : error;
  })) as [SqsEmulatorThreadMessage];
  if ('failed' in message) {
    await stop();
    throw new SagaboxError('Configuration', {
      setting: 'fauxqs',
      problem: message.isMissing
        ? 'the local SQS, SNS and S3 need this package, which is not installed'
        : `the emulator of SQS, SNS and S3 cannot start: ${message.failed}`,
      remedy: "Run 'npm install --save-dev fauxqs' (2.4 or newer)",
    });
  }
  return {
    endpoint: message.listening,
    stop,
    advanceClock: (milliseconds) => thread.postMessage({ advanceClockMs: milliseconds }),
  };
}
