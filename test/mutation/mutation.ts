import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import startEngines from '../support/start-engines.ts';
import stopEngines from '../support/stop-engines.ts';
import { folderTable } from './folder-table.ts';
import { reportFile } from './report-files.ts';

/**
 * `npm run mutation`: the engines are started once, and Stryker runs the tests of each mutant against them.
 */
const root = join(import.meta.dirname, '../..');
const command = join(import.meta.dirname, 'node_modules/@stryker-mutator/core/bin/stryker.js');
const options = ['run', 'test/mutation/stryker.config.js', ...process.argv.slice(2)];
/** As a shell tells of a process that was interrupted. */
const INTERRUPTED = 130;
rmSync(reportFile, { force: true });

const interruption = new AbortController();
const interrupt = () => interruption.abort();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, interrupt);

try {
  await startEngines();
  process.exitCode = interruption.signal.aborted ? INTERRUPTED : await runStryker();
  if (existsSync(reportFile)) {
    const report = JSON.parse(readFileSync(reportFile, 'utf8'));
    process.stdout.write(`\n${folderTable(report)}\n`);
  }
} finally {
  await stopEngines();
}

async function runStryker(): Promise<number> {
  const stryker = spawn(process.execPath, [command, ...options], { cwd: root, stdio: 'inherit' });
  const stop = () => stryker.kill();
  interruption.signal.addEventListener('abort', stop);
  const [exitCode] = (await once(stryker, 'exit')) as [number | null];
  return exitCode ?? INTERRUPTED;
}
