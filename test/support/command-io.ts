import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { jest } from '@jest/globals';
import { Command } from 'commander';
import type { CommandDefinition } from '../../lib/cli/command.ts';
import { addDefinition, main, valuesOf as valuesOfCommand } from '../../lib/cli/main.ts';
import { commandIo as ioOf, type Terminal } from '../../lib/cli/terminal.ts';
import { repository } from './source-files.ts';

/** Keeps what a command writes. */
export function commandIo(signal: AbortSignal = new AbortController().signal) {
  const out: string[] = [];
  const err: string[] = [];
  const terminal: Terminal = {
    out: (line) => void out.push(line),
    err: (line) => void err.push(line),
    signal,
  };
  return { io: ioOf(terminal), terminal, out, err };
}

/** Runs a command line of `sagabox`. */
export async function runCommandLine(...args: string[]) {
  const { terminal, out, err } = commandIo();
  return { exitCode: await main(args, terminal), out, err: err.join('\n') };
}

/** Runs a command line of `sagabox` on the engines of this test run, with this environment and no other. */
export async function runOnEngines(args: readonly string[], environment: NodeJS.ProcessEnv = {}) {
  const env = jest.replaceProperty(process, 'env', onEngines(environment));
  const { exitCode, out, err } = await runCommandLine(...args).finally(() => env.restore());
  return { exitCode, out: out.join('\n'), err };
}

/** Runs the program `sagabox` on the engines of this test run. */
export async function runProgram(args: readonly string[], environment: NodeJS.ProcessEnv = {}) {
  const program = spawn(process.execPath, [join(repository, 'bin/sagabox.ts'), ...args], {
    env: onEngines(environment),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const closed = once(program, 'close');
  const [out, err] = await Promise.all([text(program.stdout), text(program.stderr)]);
  const [exitCode] = await closed;
  return { exitCode, out, err };
}

function onEngines(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const { PATH, SAGABOX_TEST_SQS_ENDPOINT, SAGABOX_TEST_DYNAMODB_ENDPOINT } = process.env;
  return {
    PATH,
    AWS_ENDPOINT_URL_SQS: SAGABOX_TEST_SQS_ENDPOINT,
    AWS_ENDPOINT_URL_DYNAMODB: SAGABOX_TEST_DYNAMODB_ENDPOINT,
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
    ...environment,
  };
}

/** What a command line gives a command. @throws CommanderError */
export function valuesOf<Values>(definition: CommandDefinition<Values>, args: readonly string[]): Values {
  const silent = { writeOut: () => {}, writeErr: () => {} };
  const command = new Command('test').exitOverride().configureOutput(silent);
  return valuesOfCommand(addDefinition(command, definition).parse(args, { from: 'user' })) as Values;
}
