import { availableParallelism } from 'node:os';
import { mapConcurrently } from '../../lib/core/async/map-concurrently.ts';
import { type Check, checksOf } from './checks.ts';
import { makeProjects } from './projects.ts';

/**
 * Packs the package, puts it into projects of its own as npm would, and uses it there: what tests of the
 * sources cannot see.
 */
const print = (line: string) => process.stdout.write(`${line}\n`);
const projects = await makeProjects();
try {
  const results = await mapConcurrently(checksOf(projects), availableParallelism(), passes);
  const failed = results.filter((passed) => !passed).length;
  print(
    failed === 0 ? 'the packed package works' : `${failed} of ${results.length} uses of the package fail`,
  );
  process.exitCode = failed === 0 ? 0 : 1;
} finally {
  await projects.remove();
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
