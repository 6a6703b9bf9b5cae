import type { SQSClient } from '@aws-sdk/client-sqs';
import type { InFlight } from '../kernel/calls/in-flight.ts';
import type { Clock } from '../kernel/clock.ts';
import type { QueueDestination } from '../messages/destinations/destination.ts';
import { sqsService } from '../sending/transports/send-service.sqs.ts';
import { Sender } from '../sending/transports/sender.ts';

type QueueSender = Sender<QueueDestination>;
const sendersOfClients = new WeakMap<SQSClient, WeakMap<InFlight, QueueSender>>();

/** The sender of all flows on one client whose commits are counted together. */
export function sharedQueueSender(client: SQSClient, clock: Clock, commits: InFlight): QueueSender {
  const senders = sendersOfClients.get(client) ?? new WeakMap<InFlight, QueueSender>();
  sendersOfClients.set(client, senders);
  const sender = senders.get(commits) ?? new Sender({ service: sqsService(client), clock, commits });
  senders.set(commits, sender);
  return sender;
}
