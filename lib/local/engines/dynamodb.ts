import { aNumber, anObject, aString, assertOptionKinds } from '../../kernel/checks/checks.ts';
import { SagaboxError } from '../../kernel/errors/errors.ts';
import { chooseEngine, endpointVariable, engineFailure, engineVariable } from './choose-engine.ts';
import { startUnitsProxy } from './dynamodb-local/units-proxy.ts';
import { isPortFree } from './free-port.ts';
import { type EngineIdentity, identifyEngine } from './identity.ts';
import { type LaunchedEngine, launchEngine, portIsTaken } from './launch-engine.ts';
import type { RunningEngine } from './running-engine.ts';

/** An engine that answers as DynamoDB does, until it is stopped. */
export interface DynamoDBEngine extends RunningEngine {
  /** With its version, where it tells that: `dynoxide 1.2.1`, `DynamoDB Local`. */
  readonly name: string;
  /** Whether the engine ran before, for others too: delete again what you create in it. */
  readonly isShared: boolean;
  /**
   * Rejects with a SagaboxError `Configuration` when the engine ends before `stop` is called: what it kept is
   * gone. It never rejects for an engine that ran before.
   */
  readonly failed: Promise<never>;
}

export interface DynamoDBEngineOptions {
  /**
   * The address of an engine that runs already: it is used, and `stop` leaves it running.
   *
   * @default the environment variable SAGABOX_DYNAMODB_ENDPOINT; without it, an engine is started
   */
  readonly endpoint?: string;
  /**
   * The port of 127.0.0.1.
   *
   * @default a free one
   */
  readonly port?: number;
  /**
   * How long the engine may take until it answers, in milliseconds.
   *
   * @default 60000
   */
  readonly startTimeoutMs?: number;
  /** Ends the start, which throws the reason and leaves nothing running. It has no effect afterwards. */
  readonly signal?: AbortSignal;
}

const defaults = { startTimeoutMs: 60_000 } as const;

const optionChecks = {
  endpoint: aString,
  port: aNumber,
  startTimeoutMs: aNumber,
  signal: anObject,
} satisfies Record<keyof Required<DynamoDBEngineOptions>, unknown>;

/**
 * Starts a DynamoDB engine in memory, with an endpoint on the loopback interface. It ends with this process,
 * in whatever way that ends.
 *
 * The engine is the first one of these that is there:
 *
 * 1. the one at `endpoint`, or at `SAGABOX_DYNAMODB_ENDPOINT`, which runs already;
 * 2. the one that `SAGABOX_DYNAMODB_ENGINE` names: `dynoxide` or `dynamodb-local`;
 * 3. dynoxide, when the package `dynoxide` (or `@dynoxide/<platform>-<arch>`) is installed;
 * 4. DynamoDB Local, when the package `amplify-dynamodb-simulator` and Java 17 are installed. It listens on
 *    all interfaces; the endpoint is a proxy on the loopback interface, which corrects the units that it
 *    reports wrongly.
 *
 * @throws SagaboxError `Configuration` when no engine is there, when it cannot start, and for an endpoint
 * that is no DynamoDB
 *
 * @example
 * ```ts
 * import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
 * import { startDynamoDB } from 'sagabox/local';
 *
 * const engine = await startDynamoDB();
 * const client = new DynamoDBClient({ endpoint: engine.endpoint, region: 'us-east-1' });
 * // … use the client
 * client.destroy();
 * await engine.stop();
 * ```
 */
export async function startDynamoDB(options: DynamoDBEngineOptions = {}): Promise<DynamoDBEngine> {
  assertOptionKinds('startDynamoDB', options, optionChecks, { page: 'docs/reference/engines.md' });
  const { signal, port, startTimeoutMs = defaults.startTimeoutMs } = options;
  signal?.throwIfAborted();
  const given = options.endpoint ?? process.env[endpointVariable];
  if (given) return await useGiven(given, signal);
  const program = chooseEngine(process.env[engineVariable]);
  if (port !== undefined && !(await isPortFree(port))) throw portIsTaken(program, port);
  // The port that is asked for is the one that callers use: that of the proxy, where there is one.
  const ports = program.isBehindProxy ? { proxy: port } : { engine: port };
  const launched = await launchEngine(program, { port: ports.engine, startTimeoutMs, signal });
  return await startedEngine(launched, ports.proxy);
}

async function startedEngine(
  { endpoint, identity, process: engine }: LaunchedEngine,
  proxyPort: number | undefined,
): Promise<DynamoDBEngine> {
  const { promise: failed, reject: fail } = Promise.withResolvers<never>();
  failed.catch(() => undefined);
  let isStopping = false;
  void engine.exited.then(() => {
    if (!isStopping) fail(endedEarly(identity.name, engine.output().trim()));
  });
  const stopEngine = async (): Promise<void> => {
    isStopping = true;
    await engine.stop();
  };
  try {
    const corrected = await withCorrectUnits(endpoint, identity, stopEngine, proxyPort);
    return { ...corrected, name: identity.name, isShared: false, failed };
  } catch (error) {
    await stopEngine();
    throw error;
  }
}

/** DynamoDB Local is put behind a proxy that corrects the units, every other engine is used as it is. */
async function withCorrectUnits(
  endpoint: string,
  { reportsWrongUnits }: EngineIdentity,
  stop: () => Promise<void>,
  port?: number,
): Promise<RunningEngine> {
  if (!reportsWrongUnits) return { endpoint, stop };
  const proxy = await startUnitsProxy(endpoint, port);
  return {
    endpoint: proxy.endpoint,
    stop: async () => {
      await proxy.stop();
      await stop();
    },
  };
}

async function useGiven(endpoint: string, signal: AbortSignal | undefined): Promise<DynamoDBEngine> {
  if (!URL.canParse(endpoint)) throw notUsable(endpoint, 'it is no URL');
  const identity = await identifyEngine(endpoint, signal).catch((cause: unknown) => {
    signal?.throwIfAborted();
    throw notUsable(endpoint, 'nothing answers there', cause);
  });
  if (identity === undefined) throw notUsable(endpoint, 'what answers there is no DynamoDB');
  const corrected = await withCorrectUnits(endpoint, identity, async () => undefined);
  const failed = new Promise<never>(() => undefined);
  return { ...corrected, name: identity.name, isShared: true, failed };
}

function notUsable(endpoint: string, problem: string, cause?: unknown): SagaboxError {
  return new SagaboxError(
    'Configuration',
    {
      setting: 'DynamoDB engine',
      problem: `'${endpoint}' cannot be used: ${problem}`,
      remedy: `Start the engine, or correct the address, or leave it (${endpointVariable}) out`,
    },
    { cause },
  );
}

function endedEarly(name: string, output: string): SagaboxError {
  const tail = output.slice(-1_000) || '(none)';
  const problem = `the DynamoDB engine ended while it was in use. Its output: ${tail}`;
  return engineFailure(name, problem, 'Start again');
}
