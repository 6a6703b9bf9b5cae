import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { SagaboxError } from '../../kernel/errors/errors.ts';
import { engineFailure, otherEngine } from './choose-engine.ts';
import { findFreePort } from './free-port.ts';
import { type GuardedProcess, startGuardedProcess } from './guarded-process.ts';
import { type EngineIdentity, identifyEngine } from './identity.ts';
import type { EngineProgram } from './program.ts';

export interface LaunchOptions {
  /** A free one when undefined. */
  readonly port: number | undefined;
  readonly startTimeoutMs: number;
  readonly signal: AbortSignal | undefined;
}

/** An engine that this process started, and that answers. */
export interface LaunchedEngine {
  readonly endpoint: string;
  readonly identity: EngineIdentity;
  readonly process: GuardedProcess;
}

/** Between the look for a free port and its use, another program may take it. */
const attempts = 3;
const pollMs = 20;

/**
 * Starts an engine on a port of the loopback interface, and waits until it answers.
 *
 * @throws SagaboxError `Configuration` when it ends, does not answer in time, or its port is taken; nothing
 * is left running then
 */
export async function launchEngine(program: EngineProgram, options: LaunchOptions): Promise<LaunchedEngine> {
  assertShell(program);
  for (let attempt = 1; ; attempt++) {
    const port = options.port ?? (await findFreePort());
    // DynamoDB Local writes a metadata file into its working directory.
    const workingDirectory = mkdtempSync(join(tmpdir(), 'sagabox-dynamodb-'));
    const engine = startGuardedProcess(program.command, program.argumentsFor(port), workingDirectory);
    const endpoint = `http://127.0.0.1:${port}`;
    const identity = await firstAnswer(endpoint, engine, options);
    if (identity !== undefined) return { endpoint, identity, process: engine };
    await engine.stop();
    options.signal?.throwIfAborted();
    const lostItsPort = /in use|failed to bind/i.test(engine.output());
    if (!lostItsPort) throw startFailure(program, engine.output().trim(), options.startTimeoutMs);
    if (options.port !== undefined || attempt === attempts) throw portIsTaken(program, port);
  }
}

async function firstAnswer(
  endpoint: string,
  engine: GuardedProcess,
  { startTimeoutMs, signal }: LaunchOptions,
): Promise<EngineIdentity | undefined> {
  let hasEnded = false;
  void engine.exited.then(() => {
    hasEnded = true;
  });
  const deadline = Date.now() + startTimeoutMs;
  while (!hasEnded && !signal?.aborted && Date.now() < deadline) {
    const identity = await identifyEngine(endpoint, signal).catch(() => undefined);
    // What answers may be another program that has the port, whose owner ended for it.
    if (identity !== undefined && !hasEnded) return identity;
    await delay(pollMs);
  }
  return undefined;
}

/** Engines run under a shell that ends them with this process: see guarded-process.ts. */
function assertShell({ label }: EngineProgram): void {
  if (process.platform !== 'win32') return;
  throw new SagaboxError('Configuration', {
    setting: label,
    problem: 'engines are started by /bin/sh, which Windows does not have',
    remedy: `Start one yourself ('npx dynoxide --port 8000') and ${otherEngine}, or work in WSL`,
  });
}

export function portIsTaken({ label }: EngineProgram, port: number): SagaboxError {
  const remedy = 'Choose another port, leave the port out to get a free one';
  return engineFailure(label, `port ${port} of 127.0.0.1 is taken`, remedy);
}

function startFailure({ label, explain }: EngineProgram, output: string, timeoutMs: number): SagaboxError {
  const known = explain(output);
  const tail = output.slice(-1_000) || '(none)';
  const unknown = `the engine ended, or did not answer within ${timeoutMs} ms. Its output: ${tail}`;
  return engineFailure(label, known?.problem ?? unknown, known?.remedy ?? 'Correct the cause');
}
