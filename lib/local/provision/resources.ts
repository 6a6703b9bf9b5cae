import type { Cleanup } from '../app/cleanup.ts';
import type { StreamArns } from '../app/resources/kinds.ts';
import type { LocalResource } from '../app/resources/model.ts';
import type { LocalEngines } from '../engines/start.ts';
import { provisioningCall } from './call.ts';
import { provisionEvents } from './events.ts';
import { provisionQueues } from './queues.ts';
import { deleteTables, provisionTables } from './tables.ts';
import { provisionTopics } from './topics.ts';

/**
 * Creates what the templates declare, and deletes again what outlives the app.
 *
 * @returns the streams of the tables
 */
export async function provisionResources(
  engines: Pick<LocalEngines, 'dynamoDB' | 'dynamoDBClient' | 'sqsClient' | 'endpoints'>,
  resources: readonly LocalResource[],
  cleanup: Cleanup,
): Promise<StreamArns> {
  const tables: string[] = [];
  if (engines.dynamoDB.isShared) cleanup.add(() => deleteTables(engines.dynamoDBClient, tables));
  const streamArns = await provisionTables(engines.dynamoDBClient, resources, tables);
  await provisionQueues(engines.sqsClient, resources);
  await provisionTopics(engines.endpoints.sns, resources);
  await provisionBuckets(engines.endpoints.s3, resources);
  await provisionEvents(engines.endpoints.eventbridge, resources);
  return streamArns;
}

/** Creates the declared buckets. Their lifecycle rules do not run: the objects last as long as the app. */
async function provisionBuckets(endpoint: string, resources: readonly LocalResource[]): Promise<void> {
  for (const { name } of resources.filter(({ type }) => type === 'AWS::S3::Bucket')) {
    await provisioningCall(name, `${endpoint}/${name}`, { method: 'PUT' });
  }
}
