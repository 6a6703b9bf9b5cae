import type { Construct } from 'constructs';
import { AppRegistry } from '../app-registry.ts';
import type { AnyBucket } from '../construct-types.ts';
import type { DestinationTarget } from '../destinations/destination-target.ts';
import type { SubscribedQueue } from './subscribed-queue.ts';

interface Receiver extends Construct {
  readonly claimCheckBucket: AnyBucket | undefined;
}

const receivers = new AppRegistry<Receiver>();
const queues = new WeakMap<Receiver, SubscribedQueue>();

export function addReceiver(endpoint: Receiver, queue: SubscribedQueue): void {
  receivers.add(endpoint);
  queues.set(endpoint, queue);
}

/** The other endpoints of the app that get all messages that are sent to one of the destinations. */
export function receiversOf(sender: Construct, targets: readonly DestinationTarget[]): readonly Receiver[] {
  return receivers
    .ofAppOf(sender)
    .filter((each) => each !== sender && queues.get(each)?.receivesFrom(targets) === true);
}
