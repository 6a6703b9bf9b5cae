import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { aNumber, anObject, assertOptionKinds } from '../../../kernel/checks/checks.ts';
import { SagaboxError } from '../../../kernel/errors/errors.ts';
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

const optionChecks = {
  timeScale: aNumber,
  signal: anObject,
} satisfies Record<keyof Required<SqsEmulatorOptions>, unknown>;

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
  assertOptionKinds('startSqsEmulator', options, optionChecks, { page: 'docs/reference/engines.md' });
  const { signal, timeScale = 1 } = options;
  signal?.throwIfAborted();
  const thread = new Worker(siblingModule(import.meta.url, 'emulator-thread'), {
    workerData: { timeScale },
    execArgv: [],
  });
  const stop = async (): Promise<void> => {
    await thread.terminate();
  };
  try {
    const [endpoint] = await once(thread, 'message', signal ? { signal } : {});
    return {
      endpoint,
      stop,
      advanceClock: (milliseconds) => thread.postMessage({ advanceClockMs: milliseconds }),
    };
  } catch (error) {
    await stop();
    signal?.throwIfAborted();
    throw startFailure(error as NodeJS.ErrnoException);
  }
}

function startFailure(cause: NodeJS.ErrnoException): SagaboxError {
  // A package that fauxqs needs itself is none that users install.
  const isMissing = cause.code === 'ERR_MODULE_NOT_FOUND' && cause.message.includes("'fauxqs'");
  return new SagaboxError(
    'Configuration',
    {
      setting: 'fauxqs',
      problem: isMissing
        ? 'the local SQS, SNS and S3 need this package, which is not installed'
        : `the emulator of SQS, SNS and S3 cannot start: ${cause.message}`,
      remedy: "Run 'npm install --save-dev fauxqs' (2.4 or newer)",
    },
    { cause },
  );
}
