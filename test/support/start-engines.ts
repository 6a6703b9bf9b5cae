import { startDynamoDBLocal } from '../../lib/local/dynamodb-local.ts';
import { startEventEmulator } from '../../lib/local/events/event-emulator.ts';
import { startSqsEmulator } from '../../lib/local/sqs-emulator.ts';
import { keepEngines } from './running-engines.ts';

/** Once per test run: one DynamoDB Local, one emulator of SQS, SNS and S3, and one of EventBridge and its Scheduler for every test file. */
export default async function startEngines(): Promise<void> {
  const [dynamoDB, sqs] = await Promise.allSettled([startDynamoDBLocal(), startSqsEmulator()]);
  const started = [dynamoDB, sqs].filter((start) => start.status === 'fulfilled').map((start) => start.value);
  keepEngines(started);
  if (dynamoDB.status === 'rejected') throw dynamoDB.reason;
  if (sqs.status === 'rejected') throw sqs.reason;
  const events = await startEventEmulator({ sqsEndpoint: sqs.value.endpoint });
  keepEngines([...started, events]);
  process.env.SAGABOX_TEST_DYNAMODB_ENDPOINT = dynamoDB.value.endpoint;
  process.env.SAGABOX_TEST_SQS_ENDPOINT = sqs.value.endpoint;
  process.env.SAGABOX_TEST_EVENTS_ENDPOINT = events.endpoint;
}
