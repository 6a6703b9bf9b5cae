import { Lazy, Stack } from 'aws-cdk-lib';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { SagaboxError } from '../core/errors.ts';

/** A queue under the name that handlers send to. */
export interface MessageDestination {
  /** What a handler calls it in `send(name, …)`. */
  readonly name: string;
  readonly queue: IQueue;
}

/** The destinations of one endpoint, as they will stand in its environment. */
export class DestinationRegistry {
  readonly #scope: Construct;
  readonly #queues = new Map<string, IQueue>();

  constructor(scope: Construct) {
    this.#scope = scope;
  }

  /** @returns whether the destination is new */
  add(destination: MessageDestination): boolean {
    const { name, queue } = destination;
    if (name === '') {
      throw new SagaboxError('Configuration', {
        setting: `sendsTo of '${this.#scope.node.path}'`,
        problem: 'a destination has an empty name',
        remedy: 'Name it as the handlers send to it',
      });
    }
    const known = this.#queues.get(name);
    if (known === queue) return false;
    if (known !== undefined) {
      throw new SagaboxError('Configuration', {
        setting: `sendsTo of '${this.#scope.node.path}'`,
        problem: `the destination '${name}' already stands for the queue '${known.node.path}'`,
        remedy: `Give the queue '${queue.node.path}' another name`,
      });
    }
    this.#queues.set(name, queue);
    return true;
  }

  /** Read at synth, so that destinations may be added in any order, also to endpoints that send to each other. */
  toJson(): string {
    return Lazy.string({
      produce: () => {
        const urls = [...this.#queues].map(([name, queue]) => [name, queue.queueUrl] as const);
        return Stack.of(this.#scope).toJsonString(Object.fromEntries(urls));
      },
    });
  }
}
