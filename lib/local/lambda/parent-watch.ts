import { spawn } from 'node:child_process';

/** The descriptor of a pipe that nobody writes to: it closes when the parent ends, in whatever way. */
export const PARENT_PIPE = 4;

/** Waits for the end of the pipe, and kills its process group: that of the instance. */
const watchScript = 'cat >/dev/null; kill -9 0';

/**
 * Ends this process, which leads a process group, and all that it has started, when its parent has ended: also while
 * a handler keeps the event loop busy, which then learns of no end.
 */
export function dieWithParent(): void {
  // There are no shell and no process groups there: an instance ends when its handler lets it.
  if (process.platform === 'win32') return;
  const watch = spawn('/bin/sh', ['-c', watchScript], { stdio: [PARENT_PIPE, 'ignore', 'ignore'] });
  watch.on('error', () => undefined);
  watch.unref();
}
