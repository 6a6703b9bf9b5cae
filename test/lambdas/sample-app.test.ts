import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Resource, type Sample, synthesizeSample } from './synthesize-sample.ts';

describe('the sample app', () => {
  let folder: string;
  let sample: Sample;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'sagabox-sample-'));
    sample = await synthesizeSample(folder);
  });

  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('is synthesized without a finding or a warning', () => {
    expect(sample.messages).toEqual([]);
  });

  it('shows a FIFO endpoint, a topic, the relay and monitoring, in two stacks', () => {
    expect(sample.stackNames).toEqual(['OrderFulfilmentData', 'OrderFulfilment']);
    const fifoQueues = ofType(sample.resources, 'AWS::SQS::Queue').filter(
      ([, { Properties }]) => Properties?.FifoQueue,
    );
    expect(fifoQueues.map(([id]) => id)).toContainEqual(expect.stringMatching(/^ShippingQueue/));
    for (const type of ['AWS::SNS::Topic', 'AWS::Events::Rule', 'AWS::CloudWatch::Dashboard'])
      expect(ofType(sample.resources, type)).toHaveLength(1);
  });

  it('tells where its queues and tables are', () => {
    const own = sample.outputNames.filter((name) => !/Operating[0-9A-F]{8}$/.test(name));
    expect(sample.outputNames.length - own.length).toBe(3);
    expect([...own].sort()).toEqual([
      'ChargesTableName',
      'NotificationsQueueUrl',
      'OrdersQueueUrl',
      'OutboxTableName',
      'SagaTableName',
      'ShipmentsTableName',
    ]);
  });

  it('leaves nothing behind when it is destroyed', () => {
    expect(JSON.stringify(sample.resources)).toContain('"DeletionPolicy":"Delete"');
    expect(JSON.stringify(sample.resources)).not.toContain('Retain');
  });

  it('may only count in its ledgers', () => {
    for (const [endpoint, ledger] of [
      ['Billing', 'Charges'],
      ['Shipping', 'Shipments'],
    ] as const) {
      const [policy] = ofType(sample.resources, 'AWS::IAM::Policy').filter(([id]) => id.startsWith(endpoint));
      expect(policy?.[1].Properties).toMatchObject({
        PolicyDocument: {
          Statement: expect.arrayContaining([
            expect.objectContaining({
              Action: 'dynamodb:UpdateItem',
              Resource: {
                'Fn::GetStackOutput': expect.objectContaining({
                  StackName: 'OrderFulfilmentData',
                  OutputName: expect.stringMatching(`FnGetAtt${ledger}.*Arn`),
                }),
              },
            }),
          ]),
        },
      });
    }
  });

  it('uses its outbox', () => {
    expect(outboxVariables(sample)).toEqual([undefined, undefined, undefined, undefined]);
  });

  it.each(['false', false])('can be built without its outbox by the context outbox=%j', async (outbox) => {
    const withoutOutbox = await synthesizeSample(mkdtempSync(join(folder, 'without-')), { outbox });
    expect(outboxVariables(withoutOutbox)).toEqual(['false', 'false', 'false', undefined]);
  });
});

function outboxVariables({ resources }: Sample): unknown[] {
  return ofType(resources, 'AWS::Lambda::Function').map(([, { Properties }]) => {
    const { Variables } = Properties.Environment as { Variables: Record<string, unknown> };
    return Variables.SAMPLE_OUTBOX;
  });
}

function ofType(resources: Record<string, Resource>, type: string): [string, Resource][] {
  return Object.entries(resources).filter(([, resource]) => resource.Type === type);
}
