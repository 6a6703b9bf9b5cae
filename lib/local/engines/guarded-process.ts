import { spawn } from 'node:child_process';
import { once } from 'node:events';

/**
 * Runs the command, and a watcher that kills it as soon as standard input closes. The operating system closes
 * it when this process ends in whatever way, SIGKILL included, so that the command can never outlive us.
 */
const guardScript = `
exec 3<&0
"$@" </dev/null 3<&- &
command=$!
{ cat <&3 >/dev/null; kill -9 "$command"; } 2>/dev/null >/dev/null &
exec >/dev/null 2>&1
wait "$command"
status=$?
rm -rf -- "$PWD"
exit "$status"
`;

/** A foreign program that dies with this process, and takes its working directory along. */
export interface GuardedProcess {
  /** Everything that the program has written so far. */
  readonly output: () => string;
  readonly exited: Promise<void>;
  /** Kills the program and waits until it is gone. */
  readonly stop: () => Promise<void>;
}

/**
 * Starts a program in its own session (a Ctrl-C in the terminal reaches us alone, and we stop it in order).
 *
 * @param workingDirectory removed when the program has ended.
 */
export function startGuardedProcess(
  command: string,
  args: readonly string[],
  workingDirectory: string,
): GuardedProcess {
  const child = spawn('/bin/sh', ['-c', guardScript, 'sh', command, ...args], {
    cwd: workingDirectory,
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let output = '';
  const collect = (chunk: Buffer): void => {
    output = (output + chunk.toString('utf8')).slice(-8_000);
  };
  child.stdout.on('data', collect);
  child.stderr.on('data', collect);
  child.stdin.on('error', () => undefined);
  const exited = once(child, 'close').then(
    () => undefined,
    () => undefined,
  );
  const stop = async (): Promise<void> => {
    child.stdin.end();
    await exited;
  };
  return { output: () => output, exited, stop };
}
