#!/usr/bin/env node
/** Entry of the `sagabox` command. */
import { whenClosed } from '../lib/cli/closed-output.ts';
import { main } from '../lib/cli/main.ts';

const interrupted = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.once(signal, () => interrupted.abort());
for (const stream of [process.stdout, process.stderr]) whenClosed(stream, () => interrupted.abort());

process.exitCode = await main(process.argv.slice(2), {
  out: (line) => console.log(line),
  err: (line) => console.error(line),
  signal: interrupted.signal,
});
