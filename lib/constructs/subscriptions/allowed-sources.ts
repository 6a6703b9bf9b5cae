import { type IResolvable, Lazy } from 'aws-cdk-lib';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import type { IConstruct, IDependable } from 'constructs';
import { sendActions } from '../destinations/queue-access.ts';
import { isKnown } from '../is-known.ts';
import { policyBytes } from '../limits/rendered-size.ts';
import { type SourceName, sourceName } from './source-name.ts';

/** The services that deliver what an endpoint subscribes to. */
export type SourceService = 'sns.amazonaws.com' | 'events.amazonaws.com';

const statementNames: Readonly<Record<SourceService, string>> = {
  'sns.amazonaws.com': 'Topics',
  'events.amazonaws.com': 'Rules',
};

/** From how many bytes of exact ARNs on patterns take their place, if there are any. */
export const PATTERN_BYTES = 6_144;

/**
 * Which topics and rules may send to one queue. All of a service share one statement, with the exact list of
 * their ARNs as one condition: a queue policy has room for 20 statements. Source: "Amazon SQS policy quotas".
 * Once the list takes too much of its 8,192 bytes, patterns of names that were given for it take its place.
 */
export class AllowedSources {
  readonly #queue: IQueue;
  readonly #arns = new Map<SourceService, string[]>();
  readonly #sources = new Map<IConstruct, string>();
  readonly #patterns: readonly string[];

  constructor(queue: IQueue, patterns: readonly string[]) {
    this.#queue = queue;
    this.#patterns = patterns;
  }

  /** @returns the policy, for what must not send before it is there */
  allow(service: SourceService, source: IConstruct, arn: string): IDependable {
    this.#sources.set(source, arn);
    const known = this.#arns.get(service);
    if (known === undefined) this.#addStatement(service);
    this.#arns.set(service, [...new Set([...(known ?? []), arn])]);
    // An imported queue has no policy here: `warnOfImportedQueue` tells what its owner has to allow.
    return this.#queue.node.tryFindChild('Policy') ?? this.#queue;
  }

  /**
   * What may not send because patterns leave it out, as far as names are known at synth. To be read there: a
   * name may be set after the subscription.
   */
  get leftOut(): readonly string[] {
    return [...this.#arns].flatMap(([service, arns]) => {
      const patterns = this.#patternsFor(service);
      if (patterns === undefined) return [];
      return [...this.#sources].flatMap(([source, arn]) => {
        const name = arns.includes(arn) ? sourceName(source, arn) : undefined;
        if (name === undefined || patterns.some((pattern) => covers(pattern, name))) return [];
        return `'${source.node.path}' (${name.resource}${name.isGenerated ? '…' : ''})`;
      });
    });
  }

  /** The patterns that stand for the list of a service. */
  #patternsFor(service: SourceService): readonly string[] | undefined {
    const patterns = this.#patterns.filter((pattern) => isOfService(pattern, service));
    const isLong = () => policyBytes(this.#queue, [...this.#arns.values()].flat()) > PATTERN_BYTES;
    return patterns.length > 0 && isLong() ? patterns : undefined;
  }

  /**
   * The lists are read at synth. Only statements with a name of their own stay apart until then: for the CDK,
   * which merges those that differ in their principals alone, lists yet to be read are equal.
   */
  #addStatement(service: SourceService): void {
    const exact = () => (this.#patternsFor(service) === undefined ? this.#arns.get(service) : undefined);
    this.#queue.addToResourcePolicy(
      new PolicyStatement({
        sid: statementNames[service],
        principals: [new ServicePrincipal(service)],
        actions: [...sendActions],
        resources: [this.#queue.queueArn],
        conditions: {
          ArnEquals: sourceArns(exact),
          ArnLike: sourceArns(() => this.#patternsFor(service)),
        },
      }),
    );
  }
}

function sourceArns(arns: () => readonly string[] | undefined): IResolvable {
  return Lazy.any({
    produce: () => {
      const list = arns();
      return list && { 'aws:SourceArn': list };
    },
  });
}

/** Whether a pattern stands for a source, and for all names that CloudFormation may make up for it. */
function covers(pattern: string, { account, region, resource, isGenerated }: SourceName): boolean {
  const [, , , patternRegion, patternAccount, ...rest] = pattern.split(':');
  const isThere =
    (!isKnown(region) || region === patternRegion) && (!isKnown(account) || account === patternAccount);
  const isOpen = !isGenerated || pattern.endsWith('*');
  return isThere && isOpen && matcherOf(rest.join(':')).test(resource);
}

/** As IAM matches it: `*` and `?` stand for any characters. */
function matcherOf(pattern: string): RegExp {
  const escaped = pattern.replaceAll(/[.+^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`^${escaped.replaceAll('*', '.*').replaceAll('?', '.')}$`);
}

function isOfService(pattern: string, service: SourceService): boolean {
  return pattern.split(':')[2] === service.split('.')[0];
}

/**
 * @returns cause and remedy when a pattern would open the queue to more than topics or rules of an account
 *   whose names it begins with
 */
export function patternProblem(
  pattern: string,
): { readonly problem: string; readonly remedy: string } | undefined {
  const [arn, partition = '', service = '', region = '', account = '', ...name] = pattern.split(':');
  const isExact = [partition, region, account].every((part) => part !== '' && !/[*?]/.test(part));
  const prefix = { sns: /^[^*?]/, events: /^rule\/[^*?]/ }[service];
  if (arn === 'arn' && isExact && prefix?.test(name.join(':'))) return undefined;
  return {
    problem: `'${pattern}' is no ARN of topics or rules of one account, with the beginning of their names`,
    remedy:
      "Write it as 'arn:aws:sns:eu-west-1:111111111111:shop-*' or 'arn:aws:events:eu-west-1:111111111111:rule/shop-*'",
  };
}
