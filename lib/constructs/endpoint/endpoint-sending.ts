import type { Grant, IGrantable } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import { type Check, kind } from '../../kernel/checks/checks.ts';
import { defined } from '../../kernel/defined.ts';
import { destinationsSetting, publishToSetting } from '../../settings/sending.ts';
import { checkedProps } from '../checks/prop-checks.ts';
import { hasMembers, isConstructWith, orToBeWrapped } from '../checks/prop-kinds.ts';
import { type ClaimCheck, claimCheckOf, grantClaimCheck } from '../claim-check/claim-check.ts';
import {
  DestinationRegistry,
  type MessageDestination,
  namedDestination,
  targetOf,
} from '../destinations/destination-registry.ts';
import { type DestinationTarget, grantDispatchTo, isQueue } from '../destinations/destination-target.ts';
import { DispatchAccess } from '../destinations/dispatch-access.ts';
import { MovableSettings, movable } from '../destinations/movable-settings.ts';
import { allowFromOtherAccount } from '../destinations/other-account.ts';
import {
  type PublicationOptions,
  PublicationRegistry,
  publicationChecks,
} from '../destinations/publication-registry.ts';
import {
  reportUnreachableBucket,
  reportUnreachableScheduler,
  reportUnreachableTarget,
} from '../destinations/ways-out.ts';
import { assertGrantee, granteeProblem, refusedGrant } from '../grantees.ts';
import { MessageScheduler } from '../scheduler/message-scheduler.ts';
import { ScheduledSends } from '../scheduler/scheduler-access.ts';
import { Violations } from '../violations.ts';
import type { IMessageEndpoint } from './message-endpoint-interface.ts';
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
  readonly #violations: Violations;

  constructor(endpoint: Construct, props: SendingProps) {
    this.#endpoint = endpoint;
    sendings.set(endpoint, this);
    this.#violations = new Violations(endpoint);
    this.destinations = new DestinationRegistry(endpoint, this.#violations);
    this.publications = new PublicationRegistry(this.#violations);
    this.claimCheck = claimCheckOf(props.claimCheck);
    if (this.claimCheck) reportUnreachableBucket(endpoint, this.claimCheck.bucket, 'claimCheck');
    this.settings = new MovableSettings(endpoint, 'Settings', {
      ...movable(destinationsSetting, () => this.destinations.addresses()),
      ...movable(publishToSetting, () => this.publications.destinationsByType()),
    });
    const scheduler = schedulerOf(endpoint, props);
    this.scheduler = scheduler;
    if (scheduler === undefined) return;
    reportUnreachableScheduler(endpoint, scheduler, 'scheduler');
    const scheduledSends = new ScheduledSends(endpoint, scheduler);
    this.scheduledSends = scheduledSends;
    this.#access.add((grantee) => scheduledSends.grantSchedule(grantee));
  }

  /** What cannot be sent to is reported, here and below. */
  sendTo(given: IMessageEndpoint | MessageDestination): void {
    const destination = isEndpoint(given) ? given : this.#checked(given, 'sendsTo', namedDestination);
    if (destination === undefined) return;
    const name = isEndpoint(destination) ? destination.endpointName : destination.name;
    const target = targetOf(destination);
    if (targetOf(given) === undefined) {
      const problem = `the destination '${name}' has none of queue, topic and eventBus, or several`;
      this.#violations.add('sendsTo', problem, 'Give one of them');
    }
    if (target === undefined) return;
    const size = 'maxMessageSizeBytes' in destination ? destination.maxMessageSizeBytes : undefined;
    this.#addDestination(name, target, 'sendsTo', size);
  }

  #checked<T>(given: T, setting: string, check: Check): T | undefined {
    return check(given, setting, this.#violations) as T | undefined;
  }

  #addDestination(
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

  publish(given: DestinationTarget, givenOptions: PublicationOptions): void {
    const options = checkedProps(givenOptions, publicationChecks, this.#violations, [], 'publishesTo');
    const target = this.#checked(given, 'publishesTo', aTopicOrEventBus);
    if (target === undefined) return;
    const name = options.name ?? target.node.id.toLowerCase();
    this.#addDestination(name, target, 'publishesTo', options.maxMessageSizeBytes);
    this.publications.add(name, options.messageTypes);
  }

  /** Allows to read what the environment refers to, too. */
  grantDispatch(grantee: IGrantable): Grant {
    assertGrantee('grantDispatch', this.#endpoint, grantee);
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

const aTopicOrEventBus = orToBeWrapped(
  kind(
    'a topic or an event bus',
    (value) => isConstructWith(value, 'topicArn') || isConstructWith(value, 'eventBusArn'),
  ),
  'topicArn',
  'eventBusArn',
);

function isEndpoint(destination: unknown): destination is IMessageEndpoint {
  return hasMembers(destination, 'endpointName', 'queue');
}

function schedulerOf(
  endpoint: Construct,
  { scheduler = false, encryptionKey }: SendingProps,
): MessageScheduler | undefined {
  if (typeof scheduler !== 'boolean') return scheduler;
  if (!scheduler) return undefined;
  return new MessageScheduler(endpoint, 'Scheduler', defined({ encryptionKey }));
}
