import { createHash } from 'node:crypto';
import {
  CfnElement,
  DefaultTokenResolver,
  type IResolvable,
  type IResolveContext,
  Reference,
  Stack,
  Tokenization,
} from 'aws-cdk-lib';
import type { IConstruct } from 'constructs';
import { textOf } from '../limits/rendered-size.ts';

/**
 * What tells a text with tokens from all that the template says in its place at other times: the hash of the
 * text with what its references refer to, by stack, logical id and the properties that a new resource comes
 * with when they change. It does not depend on what stands above the stack.
 *
 * A name that is made at deployment changes with one of these: the resource gets a new name when its logical id
 * or such a property is another.
 */
export function settingsGeneration(scope: IConstruct, text: string): string {
  const resolver = new NamingResolver(Stack.of(scope));
  const named = textOf(Tokenization.resolve(text, { scope, resolver, preparing: false }));
  return createHash('sha256').update(named).digest('hex').slice(0, 12);
}

/** Of queues, topics, event buses, roles and groups of schedules. Source: "Update requires: Replacement". */
const replacing = ['name', 'queueName', 'topicName', 'roleName', 'path', 'fifoQueue', 'fifoTopic'] as const;

class NamingResolver extends DefaultTokenResolver {
  readonly #stack: Stack;

  constructor(stack: Stack) {
    super({ join: (left, right) => textOf(left) + textOf(right) });
    this.#stack = stack;
  }

  override resolveToken(token: IResolvable, context: IResolveContext, post: never): unknown {
    if (!Reference.isReference(token)) return super.resolveToken(token, context, post);
    const { target, displayName } = token;
    if (!CfnElement.isCfnElement(target)) return `<${displayName}>`;
    const { stack } = target;
    const properties = target as unknown as Readonly<Record<string, unknown>>;
    const values = replacing.map((name) => stack.resolve(properties[name]));
    const where = stack === this.#stack ? '' : stack.stackName;
    return `<${JSON.stringify([where, stack.resolve(target.logicalId), displayName, ...values])}>`;
  }
}
