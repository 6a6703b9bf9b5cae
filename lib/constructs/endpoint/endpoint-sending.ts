import type { Grant, IGrantable } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import { defined } from '../../core/defined.ts';
import { type ClaimCheck, claimCheckOf, grantClaimCheck } from '../claim-check/claim-check.ts';
import { DestinationRegistry } from '../destinations/destination-registry.ts';
import { type DestinationTarget, grantDispatchTo, isQueue } from '../destinations/destination-target.ts';
import { DispatchAccess } from '../destinations/dispatch-access.ts';
import { type PublicationOptions, PublicationRegistry } from '../destinations/publication-registry.ts';
import { MessageScheduler } from '../scheduler/message-scheduler.ts';
import { ScheduledSends } from '../scheduler/scheduler-access.ts';
import type { MessageEndpointProps } from './message-endpoint-props.ts';

type SendingProps = Pick<MessageEndpointProps, 'scheduler' | 'claimCheck' | 'encryptionKey'>;

/** How the messages of one endpoint leave it, and who may send them. */
export class EndpointSending {
  readonly destinations: DestinationRegistry;
  readonly publications: PublicationRegistry;
  readonly scheduler: MessageScheduler | undefined;
  readonly claimCheck: ClaimCheck | undefined;
  readonly #access = new DispatchAccess();
  readonly #scheduledSends: ScheduledSends | undefined;

  constructor(endpoint: Construct, props: SendingProps) {
    this.destinations = new DestinationRegistry(endpoint);
    this.publications = new PublicationRegistry(endpoint);
    this.claimCheck = claimCheckOf(props.claimCheck);
    const scheduler = schedulerOf(endpoint, props);
    this.scheduler = scheduler;
    if (scheduler === undefined) return;
    this.#scheduledSends = new ScheduledSends(endpoint, scheduler);
    this.#access.add((grantee) => scheduler.grantSchedule(grantee));
  }

  addDestination(
    name: string,
    target: DestinationTarget,
    setting: string,
    maxMessageSizeBytes?: number,
  ): void {
    if (!this.destinations.add(name, target, setting, maxMessageSizeBytes)) return;
    this.#access.add((grantee) => grantDispatchTo(target, grantee));
    if (isQueue(target)) this.#scheduledSends?.allow(target);
  }

  publish(target: DestinationTarget, options: PublicationOptions): void {
    const name = options.name ?? target.node.id.toLowerCase();
    this.addDestination(name, target, 'publishesTo', options.maxMessageSizeBytes);
    this.publications.add(name, options.messageTypes);
  }

  grantDispatch(grantee: IGrantable): Grant {
    return this.#access.grant(grantee);
  }

  grantClaimCheck(endpointName: string, grantee: IGrantable): void {
    if (this.claimCheck !== undefined) grantClaimCheck(this.claimCheck, endpointName, grantee);
  }
}

function schedulerOf(
  endpoint: Construct,
  { scheduler = false, encryptionKey }: SendingProps,
): MessageScheduler | undefined {
  if (typeof scheduler !== 'boolean') return scheduler;
  if (!scheduler) return undefined;
  return new MessageScheduler(endpoint, 'Scheduler', defined({ encryptionKey }));
}
