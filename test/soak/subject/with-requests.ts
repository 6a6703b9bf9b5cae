import type { Context as LambdaContext, SQSEvent, SQSRecord } from 'aws-lambda';
import type { SqsBatchHandler } from 'sagabox';
import { settleAll } from '../../../lib/kernel/async/settle.ts';
import type { Tally } from '../../support/tally.ts';
import type { Journal } from '../fleet/journal.ts';
import { requestTypes } from './request.ts';
import type { Respond } from './sessions.ts';

export interface RequestsOptions {
  readonly respond: Respond;
  readonly tally: Tally;
  readonly journal: Journal;
}

const nothingFailed = Promise.resolve({ batchItemFailures: [] });
const types: readonly string[] = Object.values(requestTypes);

/**
 * Leaves messages to their handler, and answers requests beside them. The queue is the client of these: it sends a
 * request again until it has an answer, and some of them although it has.
 */
export function withRequests(handler: SqsBatchHandler, options: RequestsOptions): SqsBatchHandler {
  return async (event, context) => {
    const { Records } = event as SQSEvent;
    const { requests = [], messages = [] } = Object.groupBy(Records, (record) =>
      types.includes(attributeOf(record, 'Sagabox.MessageType')) ? 'requests' : 'messages',
    );
    // Lambda passes no empty batch.
    const handling = messages.length > 0 ? handler({ Records: messages }, context) : nothingFailed;
    const answering = requests.map(async (record) => {
      const isAnswered = await answer(record, context as LambdaContext, options);
      return isAnswered ? [] : [{ itemIdentifier: record.messageId }];
    });
    const [handled, ...unanswered] = await settleAll([handling, ...answering]);
    return { batchItemFailures: [...handled.batchItemFailures, ...unanswered.flat()] };
  };
}

/** @returns whether the client has an answer: an error of the server is none, and neither is "later" */
async function answer(
  record: SQSRecord,
  context: LambdaContext,
  { respond, tally, journal }: RequestsOptions,
): Promise<boolean> {
  const [type, id] = [attributeOf(record, 'Sagabox.MessageType'), attributeOf(record, 'Sagabox.MessageId')];
  try {
    const response = await respond(type, id, record.body, context);
    const { statusCode = 200 } = response;
    tally.add(`answer ${statusCode}`);
    if (statusCode === 409 || statusCode >= 500) {
      journal.note(`not answered: ${statusCode}`, [id]);
      return false;
    }
    tally.add(`answered ${type}`);
    journal.note(`answered: ${statusCode}`, [id], JSON.stringify(response));
    return true;
  } catch (error) {
    tally.add('answer none, but an error');
    journal.note(`not answered: ${error}`, [id]);
    return false;
  }
}

function attributeOf({ messageAttributes }: SQSRecord, name: string): string {
  return messageAttributes[name]?.stringValue ?? '';
}
