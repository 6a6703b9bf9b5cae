import { Lazy, Stack } from 'aws-cdk-lib';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { SagaboxError } from '../core/errors.ts';
import type { AnyEventBus } from './any-event-bus.ts';
import { addressOf, type DestinationTarget, isQueue, isTopic, sameTarget } from './destination-target.ts';

/** A queue, a topic or an event bus under the name that handlers send to. */
export type MessageDestination =
  | QueueMessageDestination
  | TopicMessageDestination
  | EventBusMessageDestination;

/** A queue under the name that handlers send to. */
export interface QueueMessageDestination {
  /** What a handler calls it in `send(name, …)`. */
  readonly name: string;
  readonly queue: IQueue;
}

/** A topic of SNS under the name that handlers send to. */
export interface TopicMessageDestination {
  /** What a handler calls it in `send(name, …)`. */
  readonly name: string;
  readonly topic: ITopic;
}

/** An event bus of EventBridge under the name that handlers send to. */
export interface EventBusMessageDestination {
  /** What a handler calls it in `send(name, …)`. */
  readonly name: string;
  readonly eventBus: AnyEventBus;
}

/** The destinations of one endpoint, as they will stand in its environment. */
export class DestinationRegistry {
  readonly #scope: Construct;
  readonly #targets = new Map<string, DestinationTarget>();

  constructor(scope: Construct) {
    this.#scope = scope;
  }

  get targets(): readonly DestinationTarget[] {
    return [...this.#targets.values()];
  }

  /** @returns whether the destination is new */
  add(name: string, target: DestinationTarget, setting = 'sendsTo'): boolean {
    if (name === '') {
      throw new SagaboxError('Configuration', {
        setting: `${setting} of '${this.#scope.node.path}'`,
        problem: 'a destination has an empty name',
        remedy: 'Name it as the handlers send to it',
      });
    }
    const known = this.#targets.get(name);
    if (known !== undefined) {
      if (sameTarget(known, target)) return false;
      throw new SagaboxError('Configuration', {
        setting: `${setting} of '${this.#scope.node.path}'`,
        problem: `the destination '${name}' already stands for the ${kindOf(known)} '${known.node.path}'`,
        remedy: `Give the ${kindOf(target)} '${target.node.path}' another name`,
      });
    }
    this.#targets.set(name, target);
    return true;
  }

  /** Read at synth, so that destinations may be added in any order, also to endpoints that send to each other. */
  toJson(): string {
    return Lazy.string({
      produce: () => {
        const addresses = [...this.#targets].map(([name, target]) => [name, addressOf(target)] as const);
        return Stack.of(this.#scope).toJsonString(Object.fromEntries(addresses));
      },
    });
  }
}

export function targetOf(destination: MessageDestination): DestinationTarget {
  if ('queue' in destination) return destination.queue;
  return 'topic' in destination ? destination.topic : destination.eventBus;
}

function kindOf(target: DestinationTarget): string {
  if (isQueue(target)) return 'queue';
  return isTopic(target) ? 'topic' : 'event bus';
}
