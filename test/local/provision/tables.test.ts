import { DescribeTableCommand } from '@aws-sdk/client-dynamodb';
import { expect, it } from '@jest/globals';
import { App, Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { Schedule } from 'aws-cdk-lib/aws-applicationautoscaling';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { OutboxTable, SagaTable, TableCapacity } from 'sagabox/constructs';
import { modelResources } from '../../../lib/local/app/resources/model.ts';
import { deleteTables, provisionTables } from '../../../lib/local/provision/tables.ts';
import { dynamoDBClient } from '../../support/engines.ts';

const client = dynamoDBClient();

const workload = { message: { sagaBytes: 1_000, outgoing: 3 }, messagesPerSecond: 70 };
const peak = {
  start: Schedule.cron({ hour: '8', minute: '0' }),
  end: Schedule.cron({ hour: '9', minute: '0' }),
};

it('creates tables whose capacity is planned, limited, scheduled, warm and watched', async () => {
  const stack = new Stack(new App(), 'ProvisionCapacity');
  const common = { relayStream: true, capacityAlarms: { topic: new Topic(stack, 'Alarms') } };
  const warmThroughput = { readUnitsPerSecond: 20_000, writeUnitsPerSecond: 20_000 };
  const planned = TableCapacity.forWorkload(workload, { scheduledPeaks: [peak] });
  new SagaTable(stack, 'Sagas', { ...common, warmThroughput, capacity: planned });
  const limited = TableCapacity.onDemand({
    maxReadRequestUnits: 1_000,
    maxWriteRequestUnits: 1_000,
    workload,
  });
  new OutboxTable(stack, 'Outbox', { ...common, warmThroughput, capacity: limited });
  const template = Template.fromStack(stack).toJSON();

  const { resources } = modelResources(
    [{ name: 'App', template, nestedTemplates: [], assetPaths: new Map() }],
    'http://queues',
  );
  const created: string[] = [];
  const streamArns = await provisionTables(client, resources, created);
  expect(created).toHaveLength(2);
  for (const tableName of created) {
    const { Table: table } = await client.send(new DescribeTableCommand({ TableName: tableName }));
    expect(table?.TableStatus).toBe('ACTIVE');
    expect(table?.StreamSpecification).toEqual({ StreamEnabled: true, StreamViewType: 'NEW_IMAGE' });
    expect(table?.LatestStreamArn).toBe(streamArns.get(tableName));
  }
  await deleteTables(client, created);
});
