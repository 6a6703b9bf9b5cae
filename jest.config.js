/** One DynamoDB Local, one emulator of SQS, SNS and S3, and one of EventBridge serve every test file: see test/support/engines.ts. */
export default {
  testEnvironment: 'node',
  testMatch: ['<rootDir>/test/**/*.test.ts'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      { jsc: { parser: { syntax: 'typescript' }, target: 'es2023' }, module: { type: 'es6' } },
    ],
  },
  testEnvironmentOptions: { customExportConditions: ['node', 'sagabox-source'] },
  // The first synth of a test file loads the CDK, which takes seconds on a busy machine.
  testTimeout: 20_000,
  globalSetup: '<rootDir>/test/support/start-engines.ts',
  globalTeardown: '<rootDir>/test/support/stop-engines.ts',
  modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/cdk.out/'],
};
