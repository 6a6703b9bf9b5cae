import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { stopKeptEngines } from '../support/running-engines.ts';
import startEngines from '../support/start-engines.ts';
import { folderTable } from './folder-table.ts';
import { reportFile } from './report-files.ts';

/** `npm run mutation`: the engines are started once, and Stryker runs the tests of each mutant against them. */
const root = join(import.meta.dirname, '../..');
const command = join(root, 'node_modules/@stryker-mutator/core/bin/stryker.js');
const options = ['run', 'test/mutation/stryker.config.js', ...process.argv.slice(2)];
rmSync(reportFile, { force: true });

try {
  await startEngines();
  const stryker = spawn(process.execPath, [command, ...options], { cwd: root, stdio: 'inherit' });
  const interrupt = (signal: NodeJS.Signals) => stryker.kill(signal);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, interrupt);
  const [exitCode] = (await once(stryker, 'exit')) as [number | null];
  process.exitCode = exitCode ?? 130;
  if (existsSync(reportFile)) process.stdout.write(`\n${folderTable(reportFile)}\n`);
} finally {
  await stopKeptEngines();
}
