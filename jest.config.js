/** One DynamoDB Local and one SQS emulator serve every test file: see test/support/engines.ts. */
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
  globalSetup: '<rootDir>/test/support/start-engines.ts',
  globalTeardown: '<rootDir>/test/support/stop-engines.ts',
  modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/cdk.out/'],
};
