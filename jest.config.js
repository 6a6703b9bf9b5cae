import { availableParallelism } from 'node:os';
import { join } from 'node:path';

// It takes as long as the rest of a synth: test/constructs/template-validation.proof.ts turns it on.
process.env.CDK_VALIDATION = 'false';
// No test reads where a construct was created, and Jest maps each frame of a stack to its source.
process.env.CDK_CONTEXT_JSON = JSON.stringify({ 'aws:cdk:disable-creation-stack-traces': true });
// The processes that tests start load the same modules, again and again.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, 'node_modules', '.cache', 'compiled');

/**
 * One DynamoDB engine, one emulator of SQS, SNS and S3, and one of EventBridge serve every test file: see
 * test/support/engines.ts.
 */
export default {
  testEnvironment: '<rootDir>/test/support/jest/environment.ts',
  testMatch: ['<rootDir>/test/**/*.test.ts', '<rootDir>/bench/**/*.test.ts'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: {
    '/node_modules/(aws-cdk-lib|constructs)/.*\\.js$': '<rootDir>/test/support/jest/load-once.ts',
    '^.+\\.ts$': [
      '@swc/jest',
      { jsc: { parser: { syntax: 'typescript' }, target: 'es2023' }, module: { type: 'es6' } },
    ],
  },
  transformIgnorePatterns: ['/node_modules/(?!aws-cdk-lib/|constructs/)'],
  testEnvironmentOptions: { customExportConditions: ['node', 'sagabox-source'] },
  // Much of the time goes into waiting for engines and processes, so that three are not too many where there
  // are two cores.
  maxWorkers: Math.max(3, availableParallelism() - 1),
  // Node frees little of the modules of a test file that is over, and collecting garbage takes ever longer.
  workerIdleMemoryLimit: '768MB',
  // On a busy machine, a test that takes one second can take thirty.
  testTimeout: 120_000,
  // So can the end of a worker, which has a large heap, or has just been started anew. One that leaks does not end.
  workerGracefulExitTimeout: 120_000,
  globalSetup: '<rootDir>/test/support/start-engines.ts',
  setupFilesAfterEnv: ['<rootDir>/test/support/open-clients.ts'],
  globalTeardown: '<rootDir>/test/support/stop-engines.ts',
  modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/cdk.out/'],
};
