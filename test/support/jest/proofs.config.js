import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import everyTest from '../../../jest.config.js';

const rootDir = join(import.meta.dirname, '../../..');

// `test/support/samples.ts` reads it.
process.env.SAGABOX_SAMPLES = 'all';

/** What takes long: proofs that the simulations find faults, child processes, and samplers in full. `npm run proofs`. */
export default {
  ...everyTest,
  rootDir,
  // Whole programs, and samplers in full: beside a load of 20 they take up to twenty times as long as alone.
  testTimeout: 600_000,
  // The others need packages of their own: `npm run proofs:full`.
  testMatch: ['<rootDir>/test/!(asyncapi)/**/*.proof.ts', ...samplers()],
};

/** The files of `npm test` that draw a tenth of their random cases there. */
function samplers() {
  return globSync(['test/**/*.test.ts', 'bench/**/*.test.ts'], {
    cwd: rootDir,
    exclude: ['**/node_modules/**'],
  })
    .filter((file) => readFileSync(join(rootDir, file), 'utf8').includes('support/samples.ts'))
    .map((file) => `<rootDir>/${file}`);
}
