import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startDynamoDB } from '../../lib/local/engines/dynamodb.ts';
import { startSqsEmulator } from '../../lib/local/engines/sqs/emulator.ts';
import { startEventEmulator } from '../../lib/local/events/emulator.ts';
import { keepEngines } from './running-engines.ts';

/**
 * Once per test run: one DynamoDB engine, one emulator of SQS, SNS and S3, and one of EventBridge and its
 * Scheduler for every test file.
 */
export default async function startEngines(): Promise<void> {
  // The CDK leaves an assembly there for each app that tests make: it goes with the run.
  process.env.SAGABOX_TEST_FOLDER = mkdtempSync(join(tmpdir(), 'sagabox-tests-'));
  process.env.TMPDIR = process.env.SAGABOX_TEST_FOLDER;
  const [dynamoDB, sqs] = await Promise.allSettled([startDynamoDB(), startSqsEmulator()]);
  const started = [dynamoDB, sqs].filter((start) => start.status === 'fulfilled').map((start) => start.value);
  keepEngines(started);
  if (dynamoDB.status === 'rejected') throw dynamoDB.reason;
  if (sqs.status === 'rejected') throw sqs.reason;
  const events = await startEventEmulator({ sqsEndpoint: sqs.value.endpoint });
  keepEngines([...started, events]);
  dynamoDB.value.failed.catch((error: Error) => process.stderr.write(`${error.message}\n`));
  process.env.SAGABOX_TEST_DYNAMODB_ENGINE = dynamoDB.value.name;
  process.env.SAGABOX_TEST_DYNAMODB_ENDPOINT = dynamoDB.value.endpoint;
  process.env.SAGABOX_TEST_SQS_ENDPOINT = sqs.value.endpoint;
  process.env.SAGABOX_TEST_EVENTS_ENDPOINT = events.endpoint;
}
