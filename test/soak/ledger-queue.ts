import type { Message, SQSClient } from '@aws-sdk/client-sqs';
import type { Companion } from '../support/load-kill-verify/beside.ts';
import { acknowledge, attributeOf, receiveMessages } from '../support/received-records.ts';
import type { ArrivedEntry } from './checks/evidence.ts';
import type { Entry } from './subject/entry.ts';

/**
 * Takes what arrives in the ledger's queue. Ends between two calls: a receive that was aborted would keep messages of
 * the next round for half a minute.
 */
export function takingEntries(client: SQSClient, queueUrl: string, entries: ArrivedEntry[]): Companion {
  return async (signal) => {
    while (!signal.aborted) {
      const messages = await receiveMessages(client, queueUrl, 1);
      entries.push(...messages.map(toEntry));
      await acknowledge(client, queueUrl, messages);
    }
  };
}

function toEntry(message: Message): ArrivedEntry {
  const { source, ordinal, attempt, bookings } = JSON.parse(message.Body ?? '') as Entry;
  const id = attributeOf(message, 'Sagabox.MessageId');
  return { id, source, ordinal, attempt, ...(bookings && { bookings }) };
}
