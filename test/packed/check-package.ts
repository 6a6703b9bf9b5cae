import { availableParallelism } from 'node:os';
import { mapConcurrently } from '../../lib/kernel/async/map-concurrently.ts';
import { exitCodes, flag, print, readCommandLine, runCommand } from '../support/command.ts';
import { type Check, checksOf } from './checks.ts';
import { makeProjects } from './projects.ts';

const usage = `npm run check-package

Packs the package, puts it into projects of its own as npm would, and uses it there: what tests of the sources cannot see.

  --short  with one compiler and one Node, not with each of the support matrix
  --help   this text

Exit code: 0 if all uses work, 1 if not, 2 for options that are not understood.`;

async function run({ short }: { readonly short: boolean }): Promise<number> {
  const projects = await makeProjects();
  try {
    const checks = checksOf(projects).filter(({ isShort = false }) => isShort || !short);
    const results = await mapConcurrently(checks, availableParallelism(), passes);
    const failed = results.filter((passed) => !passed).length;
    print(
      failed === 0 ? 'the packed package works' : `${failed} of ${results.length} uses of the package fail`,
    );
    return failed === 0 ? exitCodes.ok : exitCodes.failed;
  } finally {
    await projects.remove();
  }
}

async function passes({ name, run }: Check): Promise<boolean> {
  const startedAt = performance.now();
  const seconds = () => `${((performance.now() - startedAt) / 1000).toFixed(1)} s`;
  try {
    await run();
    print(`  ${name} (${seconds()})`);
    return true;
  } catch (error) {
    const { message, stdout = '', stderr = '' } = error as Error & { stdout?: string; stderr?: string };
    print(`  FAILED: ${name} (${seconds()})\n${message}\n${stdout}${stderr}`);
    return false;
  }
}

process.exitCode = await runCommand(
  readCommandLine(process.argv.slice(2), usage, { short: flag }, (values) => values),
  usage,
  run,
);
