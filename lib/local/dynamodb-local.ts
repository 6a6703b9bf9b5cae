import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { SagaboxError } from '../core/errors.ts';
import { findFreePort } from './free-port.ts';
import { type GuardedProcess, startGuardedProcess } from './guarded-process.ts';
import { resolveOptionalPackage } from './optional-package.ts';

/** An engine that answers at `endpoint` until it is stopped. */
export interface RunningEngine {
  /** For example `http://127.0.0.1:41234`. */
  readonly endpoint: string;
  readonly stop: () => Promise<void>;
}

export interface DynamoDBEngine extends RunningEngine {
  /** Whether the engine ran before, for others too: what is created in it is to be deleted again. */
  readonly isShared: boolean;
}

export interface DynamoDBLocalOptions {
  /**
   * The Java 17 (or newer) program.
   *
   * @default `bin/java` of the environment variable JAVA_HOME, or else `java` on the PATH
   */
  readonly javaCommand?: string;
  /**
   * How long the engine may take until it answers, in milliseconds.
   *
   * @default 60000
   */
  readonly startTimeoutMs?: number;
  /** Ends the start: it throws the reason, and nothing is left running. An engine that has started is ended by its `stop`. */
  readonly signal?: AbortSignal;
}

const defaults = { startTimeoutMs: 60_000 } as const;
const attempts = 3;
const endpointVariable = 'SAGABOX_DYNAMODB_ENDPOINT';
const otherEngine = `set ${endpointVariable} to the address of a DynamoDB Local that already runs`;

/**
 * Starts DynamoDB Local in memory on a free port (it listens on all interfaces, and cannot be told otherwise). It ends
 * with this process, in whatever way that ends.
 *
 * When the environment variable `SAGABOX_DYNAMODB_ENDPOINT` is set, nothing is started: that engine is used, and
 * `stop` leaves it running.
 *
 * @throws SagaboxError `Configuration` when Java 17 or the package `amplify-dynamodb-simulator` is missing.
 *
 * @example
 * ```ts
 * import { startDynamoDBLocal } from 'sagabox/local';
 *
 * const engine = await startDynamoDBLocal();
 * // ... new DynamoDBClient({ endpoint: engine.endpoint })
 * await engine.stop();
 * ```
 */
export async function startDynamoDBLocal(options: DynamoDBLocalOptions = {}): Promise<DynamoDBEngine> {
  const { signal } = options;
  signal?.throwIfAborted();
  const given = process.env[endpointVariable];
  if (given) {
    return { endpoint: given, isShared: true, stop: async () => undefined };
  }
  const startTimeoutMs = options.startTimeoutMs ?? defaults.startTimeoutMs;
  for (let attempt = 1; ; attempt++) {
    const port = await findFreePort();
    const engine = launch(options.javaCommand ?? javaOnThisMachine(), port);
    const endpoint = `http://127.0.0.1:${port}`;
    if (await answers(endpoint, engine, startTimeoutMs, signal)) {
      return { endpoint, isShared: false, stop: engine.stop };
    }
    await engine.stop();
    signal?.throwIfAborted();
    const portWasTaken = /address already in use|failed to bind/i.test(engine.output());
    if (!portWasTaken || attempt === attempts) {
      throw startFailure(engine, startTimeoutMs);
    }
  }
}

function javaOnThisMachine(): string {
  const home = process.env.JAVA_HOME;
  return home ? join(home, 'bin', 'java') : 'java';
}

function launch(javaCommand: string, port: number): GuardedProcess {
  const packageDirectory = dirname(resolveOptionalPackage('amplify-dynamodb-simulator', 'package.json'));
  const emulator = join(packageDirectory, 'emulator');
  // The engine writes a metadata file into its working directory.
  const workingDirectory = mkdtempSync(join(tmpdir(), 'sagabox-dynamodb-'));
  return startGuardedProcess(
    javaCommand,
    [
      '-XX:TieredStopAtLevel=1',
      '-XX:+UseSerialGC',
      `-Djava.library.path=${join(emulator, 'DynamoDBLocal_lib')}`,
      '-jar',
      join(emulator, 'DynamoDBLocal.jar'),
      '-disableTelemetry',
      '-inMemory',
      '-port',
      String(port),
    ],
    workingDirectory,
  );
}

async function answers(
  endpoint: string,
  engine: GuardedProcess,
  timeoutMs: number,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  let ended = false;
  void engine.exited.then(() => {
    ended = true;
  });
  const deadline = Date.now() + timeoutMs;
  while (!ended && !signal?.aborted && Date.now() < deadline) {
    try {
      const response = await fetch(endpoint, { signal: AbortSignal.timeout(2_000) });
      await response.arrayBuffer();
      return !ended && !signal?.aborted;
    } catch {
      await delay(50);
    }
  }
  return false;
}

function startFailure(engine: GuardedProcess, timeoutMs: number): SagaboxError {
  const output = engine.output().trim();
  if (/not found|No such file/i.test(output) && engine.child.exitCode === 127) {
    return new SagaboxError('Configuration', {
      setting: 'java',
      problem: 'DynamoDB Local needs Java 17 or newer, and no java program was found',
      remedy: `Install it (Debian: default-jre-headless), or ${otherEngine}`,
    });
  }
  if (/UnsupportedClassVersionError/.test(output)) {
    return new SagaboxError('Configuration', {
      setting: 'java',
      problem: 'DynamoDB Local needs Java 17 or newer, and the java program found is older',
      remedy: `Install Java 17 and let JAVA_HOME point at it, or ${otherEngine}`,
    });
  }
  return new SagaboxError('Configuration', {
    setting: 'DynamoDB Local',
    problem: `it ended, or did not answer within ${timeoutMs} ms. It said: ${output.slice(-1_000) || '(nothing)'}`,
    remedy: `Correct the cause, or ${otherEngine}`,
  });
}
