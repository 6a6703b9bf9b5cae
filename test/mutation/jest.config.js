import { join } from 'node:path';
import everyTest from '../../jest.config.js';

// As many random cases as in `npm run proofs`: see test/support/samples.ts.
process.env.SAGABOX_SAMPLES = 'all';

const { globalSetup: _start, globalTeardown: _stop, ...forEveryTest } = everyTest;

/** The tests of what is mutated; the engines that some of them need run already, once for all mutants. */
export default {
  ...forEveryTest,
  // Stryker finds no environment by a path. Each test file loads anew what is mutated.
  testEnvironment: 'node',
  transform: { '\\.ts$': '<rootDir>/test/support/jest/strip-types.ts' },
  transformIgnorePatterns: ['/node_modules/'],
  rootDir: join(import.meta.dirname, '../..'),
  roots: ['<rootDir>/lib', '<rootDir>/test'],
  testMatch: [
    '<rootDir>/test/{attempt,dynamodb,handlers,kernel,messages,observe,opentelemetry,outbox}/**/*.test.ts',
    '<rootDir>/test/{patterns,pipeline,recoverability,relay,saga,sending,session,testing/memory}/**/*.test.ts',
    '<rootDir>/test/contract/{claim-checks,locks,memory,scheduler,undispatched}.test.ts',
  ],
};
