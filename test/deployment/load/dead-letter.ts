import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { ReceiveMessageCommand } from '@aws-sdk/client-sqs';
import { depthOf, sendTo } from '../../support/received-records.ts';
import { queueUrls } from '../far-ends/queues.ts';
import type { Setting } from '../proof-run.ts';
import { holdQueue } from './hold-reading.ts';
import type { ProofSubject } from './proof-subject.ts';

/** A message of an order that there is not ends in the dead-letter queue, as if functions died whenever it came. */
export async function makeDeadLetter(
  { calls, clients: { sqs }, signal }: Pick<Setting, 'calls' | 'clients' | 'signal'>,
  proof: ProofSubject,
): Promise<void> {
  const QueueUrl = proof.output('OrdersQueueUrl');
  const [deadLetters = ''] = await queueUrls(sqs, 'ProofStore-OrdersDeadLetterQueue');
  const goOnReading = await holdQueue(calls, QueueUrl);
  try {
    await sendTo(sqs, QueueUrl, { type: 'CardCharged', id: randomUUID(), body: { orderId: 'of no saga' } });
    while ((await depthOf(sqs, deadLetters)).now === 0) {
      await sqs.send(new ReceiveMessageCommand({ QueueUrl, VisibilityTimeout: 0, MaxNumberOfMessages: 10 }));
      await delay(10, undefined, { signal });
    }
  } finally {
    await goOnReading();
  }
}
