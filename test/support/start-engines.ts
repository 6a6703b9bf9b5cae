import { startDynamoDBLocal } from '../../lib/local/dynamodb-local.ts';
import { startSqsEmulator } from '../../lib/local/sqs-emulator.ts';
import { keepEngines } from './running-engines.ts';

/** Once per test run: one DynamoDB Local and one SQS emulator for every test file. */
export default async function startEngines(): Promise<void> {
  const [dynamoDB, sqs] = await Promise.allSettled([startDynamoDBLocal(), startSqsEmulator()]);
  keepEngines([dynamoDB, sqs].filter((start) => start.status === 'fulfilled').map((start) => start.value));
  if (dynamoDB.status === 'rejected') throw dynamoDB.reason;
  if (sqs.status === 'rejected') throw sqs.reason;
  process.env.SAGABOX_TEST_DYNAMODB_ENDPOINT = dynamoDB.value.endpoint;
  process.env.SAGABOX_TEST_SQS_ENDPOINT = sqs.value.endpoint;
}
