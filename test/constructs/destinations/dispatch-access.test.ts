import { beforeAll, describe, expect, it } from '@jest/globals';
import { EventBus } from 'aws-cdk-lib/aws-events';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { createHandler, defineSaga } from 'sagabox';
import { ClaimCheckBucket } from 'sagabox/constructs';
import { object, string } from 'valibot';
import { createQueue, createTable, everyClient } from '../../support/engines.ts';
import {
  createBucket,
  createEventBus,
  createScheduleGroup,
  createTopic,
  scheduleRoleArn,
} from '../../support/event-resources.ts';
import { awsError, ClientFaults } from '../../support/faults.ts';
import { record } from '../../support/queue.ts';
import { receiveRecords } from '../../support/received-records.ts';
import { ordersEndpoint, policyStatements } from '../support.ts';

const anything = object({ id: string() });

const saga = defineSaga({
  name: 'Exercise',
  messages: { Begin: anything, Large: object({ id: string(), text: string() }), Late: anything },
  correlate: { Begin: ({ id }) => id, Large: ({ id }) => id, Late: ({ id }) => id },
  startedBy: ['Begin'],
  initialState: () => ({}),
  handlers: {
    async Begin({ body: { id } }, { send, publish, requestTimeout }) {
      publish('Begun', { id });
      publish('Told', { id });
      send('exercise', 'Large', { id, text: 'x'.repeat(2000) });
      requestTimeout('Late', { id }, { after: { hours: 2 } });
    },
    async Large(_message, { saga }) {
      saga.complete();
    },
    async Late() {},
  },
});

/** The action that allows each call; those that are missing here would be refused in the cloud. */
const actions: Readonly<Record<string, string>> = {
  PublishBatch: 'sns:Publish',
  Publish: 'sns:Publish',
  PutEvents: 'events:PutEvents',
  CreateSchedule: 'scheduler:CreateSchedule',
  DeleteSchedule: 'scheduler:DeleteSchedule',
  GetSchedule: 'scheduler:GetSchedule',
  GetScheduleGroup: 'scheduler:GetScheduleGroup',
  PutObject: 's3:PutObject',
  GetObject: 's3:GetObject',
};

/** The engines of the tests check no permissions: here the runtime's calls are held against the grants. */
describe('the permissions of an endpoint that sends in all ways', () => {
  const clients = everyClient();
  const { dynamoDBClient: _tables, sqsClient: _queues, ...others } = clients;
  const requests = Object.values(others).map((client) => new ClientFaults(client));
  let topicArn: string;
  let eventBusArn: string;
  let bucketName: string;
  let groupName: string;

  beforeAll(async () => {
    const queueUrl = await createQueue();
    topicArn = await createTopic();
    eventBusArn = await createEventBus();
    bucketName = await createBucket();
    groupName = await createScheduleGroup();
    const table = { tableName: await createTable() };
    // As when the answer to an earlier call got lost.
    requests.at(2)?.plan('CreateSchedule', async (_input, proceed) => {
      await proceed();
      throw awsError('ConflictException');
    });
    const handler = createHandler(saga, {
      ...clients,
      endpoint: 'exercise',
      sagaTable: table,
      outboxTable: table,
      destinations: { exercise: queueUrl, topic: topicArn, bus: eventBusArn },
      publishTo: { '*': 'topic', Told: 'bus' },
      scheduler: { groupName, roleArn: scheduleRoleArn },
      claimCheck: { bucketName, thresholdBytes: 1000 },
      logger: { info: () => {}, warn: () => {}, error: () => {} },
    });
    expect(await handler({ Records: [record('Begin', { id: '1' })] })).toEqual({ batchItemFailures: [] });
    const Records = await receiveRecords(clients.sqsClient, queueUrl);
    expect(Records).toHaveLength(1);
    expect(await handler({ Records })).toEqual({ batchItemFailures: [] });
  });

  it('are those of the calls that the runtime makes, besides passing the role of the schedules', () => {
    const calls = requests.flatMap(({ operations }) => operations);
    const called = [...new Set(calls.map((operation) => actions[operation] ?? operation))];
    const granted = grants().flatMap(({ Action }) => Action);
    expect(granted.sort()).toEqual([...called, 'iam:PassRole'].sort());
  });

  it('are on what the calls are made on', () => {
    const inputs = requests.flatMap((client) => client.requests.map(({ input }) => input));
    const where = (property: string) => [...new Set(inputs.map((input) => input[property]).filter(Boolean))];
    expect(where('TopicArn')).toEqual([topicArn]);
    expect(where('Entries').map(([entry]) => entry?.EventBusName)).toContain(eventBusArn);
    expect(where('GroupName')).toEqual([groupName]);
    expect(where('Bucket')).toEqual([bucketName]);
    const keys = where('Key');
    expect(keys).toHaveLength(1);
    // The grants are on the folder of the endpoint, and on all claimChecks.
    expect(keys[0]).toMatch(/^claims\/exercise\//);
    const [put, get] = ['s3:PutObject', 's3:GetObject'].map((action) =>
      JSON.stringify(grants().find(({ Action }) => Action === action)?.Resource),
    );
    expect(put).toContain('"/claims/exercise/*"');
    expect(get).toContain('"/claims/*"');
  });

  function grants() {
    const { stack, orders } = ordersEndpoint((scope) => ({
      endpointName: 'exercise',
      scheduler: true,
      claimCheck: new ClaimCheckBucket(scope, 'Bodies'),
    }));
    orders.publishesTo(new Topic(stack, 'Topic'));
    orders.publishesTo(new EventBus(stack, 'Bus'), { messageTypes: ['Told'] });
    return policyStatements(stack, 'Own').filter(({ Action }) => !String(Action).startsWith('sqs:'));
  }
});
