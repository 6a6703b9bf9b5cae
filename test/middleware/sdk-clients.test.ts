import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { S3Client } from '@aws-sdk/client-s3';
import { SchedulerClient } from '@aws-sdk/client-scheduler';
import { SNSClient } from '@aws-sdk/client-sns';
import { describe, expect, it } from '@jest/globals';
import type { SdkClient } from '../../lib/adapters/shared/sdk-client.ts';
import { makeClient } from '../../lib/middleware/clients.ts';

const settings = { region: 'eu-north-1', maxAttempts: 7 };

describe('the client of an optional package', () => {
  it.each([
    ['SNS', makeClient.snsClient, SNSClient],
    ['EventBridge', makeClient.eventBridgeClient, EventBridgeClient],
    ['EventBridge Scheduler', makeClient.schedulerClient, SchedulerClient],
    ['S3', makeClient.s3Client, S3Client],
  ])('of %s is made with the settings that are given', async (_name, load, type) => {
    const client = await load(settings);
    if (!(client instanceof type)) throw new Error('It is a client of another service');
    expect(await client.config.region()).toBe('eu-north-1');
    expect(await client.config.maxAttempts()).toBe(7);
    client.destroy();
  });

  it('can be one of the user, by its type', () => {
    const clients: SdkClient[] = [
      new SNSClient(settings),
      new EventBridgeClient(settings),
      new SchedulerClient(settings),
      new S3Client(settings),
    ];
    expect(clients.map(({ send }) => typeof send)).toEqual(['function', 'function', 'function', 'function']);
  });
});
