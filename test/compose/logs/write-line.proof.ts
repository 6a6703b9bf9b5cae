import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { expect, it } from '@jest/globals';
import { repository } from '../../support/source-files.ts';

/** What a process writes that runs the code, with the functions of the module. */
async function run(code: string, read = true) {
  const names = '{ hasWaitingLines, linesWritten, writeLine }';
  const program = `import ${names} from './lib/compose/logs/write-line.ts';\n${code}`;
  const args = ['--input-type=module-typescript', '--eval', program];
  const child = spawn(process.execPath, args, { cwd: repository, env: {} });
  if (!read) child.stdout.destroy();
  const [stdout, stderr] = await Promise.all([read ? text(child.stdout) : '', text(child.stderr)]);
  return { stdout, stderr };
}

it('lines that a full pipe does not take at once are waited for', async () => {
  const code =
    "for (let n = 0; n < 64; n += 1) writeLine('x'.repeat(65_535)); await linesWritten(); process.exit();";
  const { stdout, stderr } = await run(code);
  expect([stdout.length, stderr]).toEqual([64 * 65_536, '']);
});

it('a stdout that is destroyed fails nothing', async () => {
  const write = "process.stdout.destroy(); for (let n = 0; n < 20; n += 1) writeLine('a line');";
  const { stderr } = await run(`${write} await linesWritten(); console.error(hasWaitingLines());`);
  expect(stderr).toBe('false\n');
});

it('a stdout that nobody reads fails nothing', async () => {
  const write = "for (let n = 0; n < 20; n += 1) writeLine('x'.repeat(100_000));";
  const { stderr } = await run(`${write} await linesWritten(); console.error('done');`, false);
  expect(stderr).toBe('done\n');
});
