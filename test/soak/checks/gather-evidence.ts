import { type DynamoDBClient, paginateScan } from '@aws-sdk/client-dynamodb';
import type { SQSClient } from '@aws-sdk/client-sqs';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { attributeOf, takeAll } from '../../support/received-records.ts';
import type { Resources } from '../resources.ts';
import { noticeTypes } from '../subject/notices.ts';
import type { RoundPlan } from '../subject/plan.ts';
import type { ArrivedEntry, Evidence, Mark } from './evidence.ts';

export interface EvidenceSources {
  readonly dynamoDB: DynamoDBClient;
  readonly sqs: SQSClient;
  readonly resources: Resources;
  readonly plan: RoundPlan;
  readonly entries: readonly ArrivedEntry[];
}

/** Reads what a round has left behind, and empties its queues. */
export async function gatherEvidence(sources: EvidenceSources): Promise<Evidence> {
  const { dynamoDB, sqs, resources, plan, entries } = sources;
  const openAccounts = new Map<string, number[]>();
  const undispatched: string[] = [];
  for await (const item of itemsOf(dynamoDB, resources.table)) {
    if (item.SK === 'SAGA' && item.state !== undefined) {
      openAccounts.set(lastPart(item.PK), (item.state as { bookings: number[] }).bookings);
    }
    if (item.SK === 'RECORD' && item.dispatched !== true) undispatched.push(lastPart(item.PK));
  }
  const marks = new Map<string, Mark>();
  for await (const item of itemsOf(dynamoDB, resources.markTable)) {
    marks.set(String(item.PK), { applied: Number(item.applied), attempt: String(item.attempt) });
  }
  return {
    bookings: plan.bookings.map(({ id, body }) => ({ id, ...body })),
    closings: plan.closings.map(({ id, body }) => ({
      id,
      ...body,
      startsAnew: plan.renewed.has(body.account),
    })),
    senders: [...plan.inquiries, ...plan.notices].map(({ id, type, body: { sends } }) => ({
      id,
      sends,
      isMarked: type === noticeTypes.marked,
    })),
    openAccounts,
    marks,
    entries,
    undispatched,
    errorQueue: await messageIdsIn(sqs, resources.errorQueueUrl),
    deadLetterQueue: await messageIdsIn(sqs, resources.deadLetterQueueUrl),
  };
}

async function messageIdsIn(client: SQSClient, queueUrl: string): Promise<string[]> {
  return (await takeAll(client, queueUrl)).map((message) => attributeOf(message, 'Sagabox.MessageId'));
}

async function* itemsOf(client: DynamoDBClient, TableName: string) {
  for await (const { Items = [] } of paginateScan({ client }, { TableName, ConsistentRead: true })) {
    for (const item of Items) yield unmarshall(item);
  }
}

function lastPart(key: unknown): string {
  return String(key).split('#').at(-1) ?? '';
}
