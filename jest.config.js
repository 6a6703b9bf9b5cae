import { availableParallelism } from 'node:os';
import { join } from 'node:path';

// It takes as long as the rest of a synth: test/constructs/template-validation.proof.ts turns it on.
process.env.CDK_VALIDATION = 'false';
// No test reads where a construct was created.
process.env.CDK_CONTEXT_JSON = JSON.stringify({ 'aws:cdk:disable-creation-stack-traces': true });
// The processes that tests start load the same modules, again and again.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, 'node_modules', '.cache', 'compiled');

if (process.argv.some((argument) => /^--watch(All)?$/.test(argument))) {
  throw new Error(
    'A process loads what is tested once, and would see no change: run npm test again in place of --watch',
  );
}

/** As it stands in a regular expression. */
const root = import.meta.dirname.replace(/[^\w/]/g, '\\$&');

/**
 * One DynamoDB engine, one emulator of SQS, SNS and S3, and one of EventBridge serve every test file: see
 * test/support/engines.ts.
 */
export default {
  testEnvironment: '<rootDir>/test/support/jest/environment.ts',
  testMatch: ['<rootDir>/test/**/*.test.ts', '<rootDir>/bench/**/*.test.ts'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: {
    // Packages, and what is tested: what a test file has changed there, such as a cache, the next one finds.
    [`${root}/(node_modules|lib|lambdas|bin|bench|examples)/.*(?<!\\.(test|proof))\\.([cm]?js|ts)$`]:
      '<rootDir>/test/support/jest/load-once.ts',
    '\\.ts$': '<rootDir>/test/support/jest/strip-types.ts',
  },
  transformIgnorePatterns: [],
  testEnvironmentOptions: { customExportConditions: ['node', 'sagabox-source'] },
  // Much of the time goes into waiting for engines and processes, so that four are not too many where there are two cores.
  maxWorkers: Math.max(4, availableParallelism() - 1),
  // The CDK keeps the tokens of apps that are over.
  workerIdleMemoryLimit: '768MB',
  // On a busy machine, a test that takes one second can take thirty.
  testTimeout: 120_000,
  // So can the end of a worker. One that leaks does not end.
  workerGracefulExitTimeout: 120_000,
  globalSetup: '<rootDir>/test/support/jest/global-setup.js',
  setupFilesAfterEnv: ['<rootDir>/test/support/open-clients.ts'],
  globalTeardown: '<rootDir>/test/support/jest/global-teardown.js',
  modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/cdk.out/', '/\\.installing-'],
};
