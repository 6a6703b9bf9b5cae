import type { Grant, IGrantable } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import { defined } from '../../core/defined.ts';
import { environmentVariables } from '../../core/environment-variables.ts';
import { type ClaimCheck, claimCheckOf, grantClaimCheck } from '../claim-check/claim-check.ts';
import { DestinationRegistry } from '../destinations/destination-registry.ts';
import { type DestinationTarget, grantDispatchTo, isQueue } from '../destinations/destination-target.ts';
import { DispatchAccess } from '../destinations/dispatch-access.ts';
import { MovableSettings } from '../destinations/movable-settings.ts';
import { allowFromOtherAccount } from '../destinations/other-account.ts';
import { type PublicationOptions, PublicationRegistry } from '../destinations/publication-registry.ts';
import {
  reportUnreachableBucket,
  reportUnreachableScheduler,
  reportUnreachableTarget,
} from '../destinations/ways-out.ts';
import { granteeProblem, refusedGrant } from '../grantees.ts';
import { MessageScheduler } from '../scheduler/message-scheduler.ts';
import { ScheduledSends } from '../scheduler/scheduler-access.ts';
import type { MessageEndpointProps } from './message-endpoint-props.ts';

type SendingProps = Pick<MessageEndpointProps, 'scheduler' | 'claimCheck' | 'encryptionKey'>;

const sendings = new WeakMap<Construct, EndpointSending>();

/** For what works for endpoints. */
export function sendingOf(endpoint: Construct): EndpointSending | undefined {
  return sendings.get(endpoint);
}

/** How the messages of one endpoint leave it, and who may send them. */
export class EndpointSending {
  readonly destinations: DestinationRegistry;
  readonly publications: PublicationRegistry;
  readonly scheduler: MessageScheduler | undefined;
  readonly claimCheck: ClaimCheck | undefined;
  readonly #access = new DispatchAccess();
  readonly scheduledSends: ScheduledSends | undefined;
  /** What may be too large for the environment of a function. */
  readonly settings: MovableSettings;
  readonly #endpoint: Construct;
  /** What else sends for it. */
  readonly #senders: { readonly scope: Construct; readonly setting: string }[] = [];

  constructor(endpoint: Construct, props: SendingProps) {
    this.#endpoint = endpoint;
    sendings.set(endpoint, this);
    this.destinations = new DestinationRegistry(endpoint);
    this.publications = new PublicationRegistry(endpoint);
    this.claimCheck = claimCheckOf(props.claimCheck);
    if (this.claimCheck) reportUnreachableBucket(endpoint, this.claimCheck.bucket, 'claimCheck');
    this.settings = new MovableSettings(endpoint, 'Settings', {
      [environmentVariables.destinations]: () => this.destinations.addresses(),
      [environmentVariables.publishTo]: () => this.publications.destinationsByType(),
    });
    const scheduler = schedulerOf(endpoint, props);
    this.scheduler = scheduler;
    if (scheduler === undefined) return;
    reportUnreachableScheduler(endpoint, scheduler, 'scheduler');
    const scheduledSends = new ScheduledSends(endpoint, scheduler);
    this.scheduledSends = scheduledSends;
    this.#access.add((grantee) => scheduledSends.grantSchedule(grantee));
  }

  addDestination(
    name: string,
    target: DestinationTarget,
    setting: string,
    maxMessageSizeBytes?: number,
  ): void {
    if (!this.destinations.add(name, target, setting, maxMessageSizeBytes)) return;
    this.#access.add((grantee) => grantDispatchTo(this.#endpoint, target, grantee));
    allowFromOtherAccount(this.#endpoint, target);
    reportUnreachableTarget(this.#endpoint, target, setting);
    for (const sender of this.#senders) reportUnreachableTarget(sender.scope, target, sender.setting);
    if (isQueue(target)) this.scheduledSends?.allow(target);
  }

  publish(target: DestinationTarget, options: PublicationOptions): void {
    const name = options.name ?? target.node.id.toLowerCase();
    this.addDestination(name, target, 'publishesTo', options.maxMessageSizeBytes);
    this.publications.add(name, options.messageTypes);
  }

  /** Allows to read what the environment refers to, too. */
  grantDispatch(grantee: IGrantable): Grant {
    const problem = granteeProblem(this.#endpoint, grantee);
    if (problem !== undefined) return refusedGrant(this.#endpoint, 'grantDispatch', grantee, problem);
    return this.settings.grantRead(grantee).combine(this.grantSending(grantee));
  }

  /** Allows to send, to whoever knows the destinations by itself. */
  grantSending(grantee: IGrantable): Grant {
    return this.#access.grant(grantee);
  }

  /**
   * Reports at synth what another construct that sends for the endpoint cannot refer to.
   *
   * @param setting of that construct, which names the endpoint
   */
  reportFor(scope: Construct, setting: string): void {
    this.#senders.push({ scope, setting });
    for (const target of this.destinations.targets) reportUnreachableTarget(scope, target, setting);
    if (this.scheduler !== undefined) reportUnreachableScheduler(scope, this.scheduler, setting);
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
