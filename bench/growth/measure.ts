import { randomUUID } from 'node:crypto';
import { CreateQueueCommand, type SQSClient } from '@aws-sdk/client-sqs';
import type { BenchRun } from '../bench-run.ts';
import type { GrowthFigures } from '../benchmark-figures.ts';
import { withEngines } from '../contention/engines.ts';
import { type Clients, withClients } from '../throughput/clients.ts';
import { depths, type GrowthDepth } from './depths.ts';
import { fill } from './fill.ts';
import { type FilledTable, idleRecoveryByRecords, messagesByRecords } from './outbox-records.ts';
import { messagesByStateSize } from './state-size.ts';
import { withTable } from './table.ts';

/** To fill a table takes minutes. */
const reportedRecords = 50_000;

export async function measureGrowth({ depth, signal, progress }: BenchRun): Promise<GrowthFigures> {
  return await withEngines((engines) =>
    withClients(engines, (clients) => growthOn(clients, depths[depth], signal, progress)),
  );
}

/** Both tables are in one engine, and take turns. */
export async function growthOn(
  clients: Clients,
  depth: GrowthDepth,
  signal: AbortSignal,
  progress: BenchRun['progress'],
): Promise<GrowthFigures> {
  const queueUrl = await newQueue(clients.sqsClient);
  const { dynamoDBClient } = clients;
  return await withTable(dynamoDBClient, (small) =>
    withTable(dynamoDBClient, async (large) => {
      const [fewest, most] = depth.outboxRecords;
      const tables: FilledTable[] = [
        { resources: { ...clients, queueUrl, tableName: small }, records: fewest },
        { resources: { ...clients, queueUrl, tableName: large }, records: most },
      ];
      for (const { resources, records } of tables) {
        progress(`Growth: putting ${records} records into an outbox table`);
        await fill(dynamoDBClient, resources.tableName, records, signal, (done) => {
          if (done % reportedRecords === 0)
            progress(`Growth: ${done} of ${records} records are in the table`);
        });
      }
      progress('Growth: messages, by the records in the table');
      const outboxRecords = await messagesByRecords(tables, depth, signal);
      progress('Growth: recoveries that find nothing');
      const idleRecovery = await idleRecoveryByRecords(tables, depth, signal);
      progress('Growth: messages, by the size of the saga');
      const stateKB = await messagesByStateSize({ ...clients, queueUrl, tableName: small }, depth, signal);
      return { outboxRecords, idleRecovery, stateKB };
    }),
  );
}

async function newQueue(client: SQSClient): Promise<string> {
  const QueueName = `growth-${randomUUID()}`;
  const { QueueUrl } = await client.send(new CreateQueueCommand({ QueueName }));
  if (QueueUrl === undefined) throw new Error(`Queue ${QueueName} has no URL`);
  return QueueUrl;
}
