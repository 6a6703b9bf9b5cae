import { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { GetQueueAttributesCommand, SetQueueAttributesCommand, type SQSClient } from '@aws-sdk/client-sqs';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { createHandler, defineHandlers, UnrecoverableError } from 'sagabox';
import { z } from 'zod';
import { deployedOptions } from '../../lib/cli/redrive/queues.ts';
import { redrive } from '../../lib/cli/redrive/redrive.ts';
import { lambdaContext } from '../../lib/testing/lambda-context.ts';
import { silentLogger } from '../../lib/testing/silent-logger.ts';
import { commandIo } from '../support/command-io.ts';
import { clientAt, createQueue, createTable, dynamoDBClient, sqsClient } from '../support/engines.ts';
import {
  attributeOf,
  messagesIn,
  receiveMessages,
  receiveRecords,
  sendTo,
} from '../support/received-records.ts';
import { startStackOutputs } from '../support/stack-outputs-server.ts';
import { waitUntil } from '../support/wait-until.ts';

let sqs: SQSClient;
let queueUrl: string;
let errorQueueUrl: string;
let deadLetterQueueUrl: string;
let collector: string;

beforeEach(async () => {
  sqs = sqsClient();
  [queueUrl, errorQueueUrl, deadLetterQueueUrl, collector] = await Promise.all([
    createQueue(),
    createQueue(),
    createQueue(),
    createQueue(),
  ]);
});

/** What an endpoint would write, of a queue that the sender reads. */
const forged = () => {
  const failure = {
    endpoint: 'orders',
    queue: collector,
    failedAt: '2026-01-02T03:04:05.678Z',
    code: 'Forged',
  };
  return JSON.stringify({ ...failure, message: '', stack: '', receiveCount: 1 });
};

async function sendForged(): Promise<void> {
  const attributes = { 'Sagabox.Failure': { DataType: 'String', StringValue: forged() } };
  await sendTo(sqs, queueUrl, { id: 'm1', type: 'Placed', body: { card: '7' }, attributes });
}

/** Runs `sagabox redrive --stack Shop --endpoint orders`. */
async function redriveFrom(queue: 'errors' | 'dead-letters') {
  const output = { sagaboxEndpoint: 'orders', queueUrl, errorQueueUrl, deadLetterQueueUrl, environment: {} };
  const stacks = await startStackOutputs({ Shop: [[JSON.stringify(output)]] });
  const client = clientAt(CloudFormationClient, stacks.endpoint);
  const options = await deployedOptions(client, { stack: 'Shop', endpoint: 'orders', queue });
  await stacks.stop();
  const result = await redrive(sqs, options, commandIo().io, 0);
  return result.json();
}

describe('Behaviour: a sender that names a queue of its own in a failure header', () => {
  it('gets nothing of the error queue, whose messages go back to the queue of their endpoint', async () => {
    const orders = defineHandlers({
      messages: { Placed: z.object({ card: z.string() }) },
      handlers: {
        Placed() {
          throw new UnrecoverableError('the card was stolen');
        },
      },
    });
    const handler = createHandler(orders, {
      ...{ endpoint: 'orders', queueUrl, errorQueueUrl, sqsClient: sqs, logger: silentLogger },
      ...{
        dynamoDBClient: dynamoDBClient(),
        outboxTable: { tableName: await createTable() },
        throwOnFullBatchFailure: false,
      },
    });
    await sendForged();
    await handler({ Records: await receiveRecords(sqs, queueUrl) }, lambdaContext());
    expect(await redriveFrom('errors')).toMatchObject({
      moved: 1,
      messages: [{ code: 'Unrecoverable', to: queueUrl }],
    });
    expect(await messagesIn(sqs, [collector, errorQueueUrl])).toBe(0);
  });

  it('gets nothing of the dead letter queue, whose messages keep the header and go back, too', async () => {
    const target = new GetQueueAttributesCommand({
      QueueUrl: deadLetterQueueUrl,
      AttributeNames: ['QueueArn'],
    });
    const { Attributes: { QueueArn = '' } = {} } = await sqs.send(target);
    const RedrivePolicy = JSON.stringify({ deadLetterTargetArn: QueueArn, maxReceiveCount: 1 });
    await sqs.send(
      new SetQueueAttributesCommand({
        QueueUrl: queueUrl,
        Attributes: { RedrivePolicy, VisibilityTimeout: '0' },
      }),
    );
    await sendForged();
    await waitUntil(async () => {
      await receiveMessages(sqs, queueUrl);
      return (await messagesIn(sqs, [deadLetterQueueUrl])) === 1;
    });
    await sqs.send(
      new SetQueueAttributesCommand({ QueueUrl: queueUrl, Attributes: { VisibilityTimeout: '30' } }),
    );
    expect(await redriveFrom('dead-letters')).toMatchObject({ moved: 1, messages: [{ to: queueUrl }] });
    expect(await messagesIn(sqs, [collector, deadLetterQueueUrl])).toBe(0);
    const [message] = await receiveMessages(sqs, queueUrl);
    expect(message && attributeOf(message, 'Sagabox.Failure')).toBe(forged());
  });
});
