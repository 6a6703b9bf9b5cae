import { join } from 'node:path';
import { reportDirectory, reportFile } from './report-files.ts';

/** What holds the promise, and the parts of the adapters that only compute; `npm run mutation` runs it. */
export default {
  mutate: [
    'lib/{kernel,messages,observe,sending,handlers,saga,outbox,attempt,recoverability}/**/!(*.*).ts',
    'lib/{pipeline,relay,session,patterns,testing/memory}/**/!(*.*).ts',
    'lib/**/{commit-errors,record-item,planned-write,saga-conditions,read-saga-item,mapper,transaction-limits}.dynamodb.ts',
    'lib/dynamodb/{*,calls/consumed-capacity,calls/item-target,calls/rounds,calls/service-errors}.ts',
    'lib/sending/transports/send-service.*.ts',
    'lib/recoverability/message-attributes.sqs.ts',
    'lib/sending/schedules/create-request.scheduler.ts',
    'lib/sending/claim-check/service-errors.s3.ts',
  ],
  plugins: [join(import.meta.dirname, 'covering-files-runner.ts')],
  testRunner: 'covering-files',
  testRunnerNodeArgs: ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'],
  jest: { configFile: 'test/mutation/jest.config.js', enableFindRelatedTests: false },
  // On a busy machine, the first run takes much longer than its usual two minutes.
  dryRunTimeoutMinutes: 30,
  coverageAnalysis: 'perTest',
  // What a module does while it loads, such as a table of names, would need every test of its folder for
  // every mutant.
  ignoreStatic: process.env.SAGABOX_MUTATE_STATIC !== 'true',
  concurrency: 2,
  reporters: ['clear-text', 'progress-append-only', 'json'],
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
  jsonReporter: { fileName: reportFile },
  thresholds: { high: 96, low: 94, break: 92 },
  incrementalFile: join(reportDirectory, 'incremental.json'),
  tempDirName: join(reportDirectory, 'sandbox'),
  // Stryker reads tsconfig.json by an API that TypeScript 7 has no more; nothing here needs it.
  ignorePatterns: ['tsconfig.json', '.python', 'dist', 'cdk.out', 'docs', 'bench'],
  disableTypeChecks: false,
};
