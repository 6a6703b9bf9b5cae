import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { SQSClient } from '@aws-sdk/client-sqs';
import { readTable } from '../../../examples/order-fulfilment/ledgers.ts';
import { ownSagaKey } from '../../support/conditional-saga-store.ts';
import { attributeOf, takeAll } from '../../support/received-records.ts';
import { journalEntries } from '../fleet/journal.ts';
import type { Resources } from '../resources.ts';
import { noticeTypes } from '../subject/notices.ts';
import type { RoundPlan } from '../subject/plan.ts';
import { recordIdOf } from '../subject/request.ts';
import type { Answer, ArrivedEntry, Evidence, Mark } from './evidence.ts';
import { lastPart, listedPlaces, undispatchedIds } from './undispatched.ts';

export interface EvidenceSources {
  readonly dynamoDB: DynamoDBClient;
  readonly sqs: SQSClient;
  readonly resources: Resources;
  readonly plan: RoundPlan;
  readonly entries: readonly ArrivedEntry[];
  /** The text of the journal. */
  readonly journal: string;
  /** The ids of records that were not dispatched before the last relay, and that it should not have met. */
  readonly undispatched: readonly string[];
}

/** Reads what a round has left behind, and empties its queues. */
export async function gatherEvidence(sources: EvidenceSources): Promise<Evidence> {
  const { dynamoDB, sqs, resources, plan, entries } = sources;
  const openAccounts = new Map<string, number[]>();
  let fullInboxes = 0;
  for (const item of await readTable(dynamoDB, resources.table)) {
    if (item.SK === 'SAGA' && item.state !== undefined) {
      openAccounts.set(lastPart(item.PK), (item.state as { bookings: number[] }).bookings);
    } else if (item.SK === ownSagaKey) {
      openAccounts.set(lastPart(item.PK), JSON.parse(String(item.saga)).state.bookings);
    }
    if (item.overflowed === true) fullInboxes += 1;
  }
  const marks = new Map<string, Mark>();
  for (const item of await readTable(dynamoDB, resources.markTable)) {
    marks.set(String(item.PK), { applied: Number(item.applied), attempt: String(item.attempt) });
  }
  const requestOf = new Map(plan.requests.map(({ id }) => [recordIdOf(id), id]));
  const undispatched = [...sources.undispatched, ...(await undispatchedIds(dynamoDB, resources.table))];
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
    requests: plan.requests.map(({ id, body: { sends, writes } }) => ({ id, sends, writes })),
    openAccounts,
    fullInboxes,
    marks,
    entries,
    answers: answersIn(sources.journal),
    undispatched: [...new Set(undispatched)].map((id) => requestOf.get(id) ?? id),
    listed: await listedPlaces(dynamoDB, resources.table),
    errorQueue: await messageIdsIn(sqs, resources.errorQueueUrl),
    deadLetterQueue: await messageIdsIn(sqs, resources.deadLetterQueueUrl),
  };
}

async function messageIdsIn(client: SQSClient, queueUrl: string): Promise<string[]> {
  return (await takeAll(client, queueUrl)).map((message) => attributeOf(message, 'Sagabox.MessageId'));
}

function answersIn(journal: string): Map<string, Answer[]> {
  const answers = new Map<string, Answer[]>();
  for (const { ids, response } of journalEntries(journal)) {
    const [id] = ids;
    if (response === undefined || id === undefined) continue;
    const { body } = JSON.parse(response) as { body: string };
    const { attempt } = JSON.parse(body) as { attempt: string };
    answers.set(id, [...(answers.get(id) ?? []), { response, attempt }]);
  }
  return answers;
}
