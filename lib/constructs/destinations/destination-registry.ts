import { Token } from 'aws-cdk-lib';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { aNumber, aString } from '../../kernel/checks/checks.ts';
import { limits } from '../../kernel/limits.ts';
import type { DestinationAddress } from '../../messages/destinations/destination.ts';
import { withProps } from '../checks/prop-checks.ts';
import { anEventBus, aQueue, aTopic } from '../checks/prop-kinds.ts';
import type { AnyEventBus } from '../construct-types.ts';
import type { IMessageEndpoint } from '../endpoint/message-endpoint-interface.ts';
import type { Violations } from '../violations.ts';
import {
  addressOf,
  type DestinationTarget,
  kindNameOf,
  messageSizeFromTemplate,
  sameTarget,
} from './destination-target.ts';

/** A queue, a topic or an event bus under the name that handlers send to. */
export type MessageDestination =
  | QueueMessageDestination
  | TopicMessageDestination
  | EventBusMessageDestination;

interface NamedDestination {
  /** The name of the destination in `send(name, …)`. */
  readonly name: string;
}

interface QueueMessageDestination extends NamedDestination {
  /** A queue that is not the queue of an endpoint of the app. */
  readonly queue: IQueue;
  /**
   * The maximum size of a message with its attributes: 1,024 to 1,048,576 bytes. A larger message is refused
   * when the handler sends it, or its body goes to the claim check bucket.
   *
   * @default - the `maxMessageSizeBytes` of a `Queue` of the app; 262,144 if that is not set, and for an
   *   imported queue
   */
  readonly maxMessageSizeBytes?: number;
}

interface TopicMessageDestination extends NamedDestination {
  /** A topic that handlers send to by name. For published messages, use `publishesTo`. */
  readonly topic: ITopic;
  /**
   * The maximum size of a message with its attributes: 1,024 to 1,048,576 bytes.
   *
   * @default - the `MaximumMessageSize` of a `Topic` of the app, else 262,144
   */
  readonly maxMessageSizeBytes?: number;
}

interface EventBusMessageDestination extends NamedDestination {
  /** An event bus that handlers send to by name. For published messages, use `publishesTo`. */
  readonly eventBus: AnyEventBus;
}

/** Of one that is no endpoint. */
export const namedDestination = withProps<MessageDestination>(
  { name: aString, queue: aQueue, topic: aTopic, eventBus: anEventBus, maxMessageSizeBytes: aNumber },
  { needs: ['name'], name: 'an endpoint, or a queue, topic or event bus with a name' },
);

/** The destinations of one endpoint, as they will stand in its environment. */
export class DestinationRegistry {
  readonly #scope: Construct;
  readonly #targets = new Map<string, DestinationTarget>();
  /** By name, too: what it was added by. */
  readonly #settings = new Map<string, string>();
  readonly #maxMessageSizes = new Map<string, number>();
  readonly #violations: Violations;

  constructor(scope: Construct, violations: Violations) {
    this.#scope = scope;
    this.#violations = violations;
  }

  get targets(): readonly DestinationTarget[] {
    return [...this.#targets.values()];
  }

  /** Those that were added by a setting. */
  targetsOf(setting: string): readonly DestinationTarget[] {
    const ofSetting = [...this.#targets].filter(([name]) => this.#settings.get(name) === setting);
    return ofSetting.map(([, target]) => target);
  }

  /** @returns whether the destination is new; one that cannot be added is reported */
  add(name: string, target: DestinationTarget, setting: string, maxMessageSizeBytes?: number): boolean {
    const sizes = { min: limits.minMessageBytes, max: limits.messageBytes };
    const sizeSetting = `${setting}: maxMessageSizeBytes of '${name}'`;
    const size = this.#violations.inRange(sizeSetting, maxMessageSizeBytes, sizes, undefined);
    if (name === '') {
      const problem = 'a destination has an empty name';
      this.#violations.add(setting, problem, 'Name it as the handlers send to it');
      return false;
    }
    if (size !== undefined) this.#maxMessageSizes.set(name, size);
    const known = this.#targets.get(name);
    if (known === undefined) {
      this.#targets.set(name, target);
      this.#settings.set(name, setting);
    } else if (!sameTarget(known, target)) {
      this.#violations.add(
        setting,
        `the destination '${name}' already stands for the ${kindNameOf(known)} '${known.node.path}'`,
        `Give the ${kindNameOf(target)} '${target.node.path}' another name`,
      );
    }
    return known === undefined;
  }

  /** With its size only if the runtime does not assume it: the variables of a function have room for 4 KB. */
  #addressOf(name: string, target: DestinationTarget): DestinationAddress {
    const address = addressOf(this.#scope, target);
    const maxMessageSizeBytes = this.#maxMessageSizes.get(name) ?? messageSizeFromTemplate(target);
    const isKnown =
      maxMessageSizeBytes !== undefined &&
      !Token.isUnresolved(maxMessageSizeBytes) &&
      maxMessageSizeBytes !== limits.unknownQueueMessageBytes;
    return isKnown ? { address, maxMessageSizeBytes } : address;
  }

  /**
   * To be read at synth, so that destinations may be added in any order, also to endpoints that send to each
   * other.
   */
  addresses(): Readonly<Record<string, DestinationAddress>> {
    return Object.fromEntries(
      [...this.#targets].map(([name, target]) => [name, this.#addressOf(name, target)]),
    );
  }
}

/** @returns `undefined` for one without a target, or with several */
export function targetOf(destination: MessageDestination | IMessageEndpoint): DestinationTarget | undefined {
  const { queue, topic, eventBus }: Partial<Record<'queue' | 'topic' | 'eventBus', DestinationTarget>> =
    destination;
  const [target, ...others] = [queue, topic, eventBus].filter((each) => each !== undefined);
  return others.length > 0 ? undefined : target;
}
