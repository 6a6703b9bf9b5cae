import { Annotations } from 'aws-cdk-lib';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import { isKnown } from '../is-known.ts';
import { isOnePlace } from '../limits/one-place.ts';
import { searchedTables } from '../relay/embedded-endpoints.ts';
import { isRelayed } from '../relay/relays.ts';
import { renderedProperties } from '../rendered-properties.ts';
import { isWatched } from '../tables/stream-readers.ts';
import type { EndpointFacts } from './endpoint-facts.ts';
import type { EndpointSettings } from './message-endpoint-props.ts';
import { warnOfUnsetResources } from './unset-resources.ts';

interface Emitter extends Construct {
  readonly endpointName: string;
  readonly metricsNamespace: string | undefined;
}

type Searched = Parameters<typeof searchedTables>[0][number];

interface WarningFacts {
  readonly facts: EndpointFacts;
  readonly settings: Pick<EndpointSettings, 'function'>;
  /** The other endpoints of the app. */
  readonly others: readonly Emitter[];
}

/** What is known at synth only, and right for some apps. */
export function warnOfEndpoint(
  endpoint: Emitter & Searched & { readonly function: IFunction },
  { facts, settings, others }: WarningFacts,
): void {
  warnOfSharedMetrics(endpoint, others);
  if (!isRelayed(endpoint)) warnOfUnreadList(endpoint);
  if (settings.function !== undefined) {
    warnOfUnsetResources(endpoint, endpoint.function, 'function');
    warnOfLoopDetection(endpoint);
  }
  const { maxConcurrency, reservedConcurrency, maxReceiveCountFromEnvironment, transformingRules } = facts;
  if (reservedConcurrency !== undefined && maxConcurrency === undefined)
    warnOfThrottles(endpoint, reservedConcurrency);
  if (maxReceiveCountFromEnvironment === 1) warnOfSingleReceive(endpoint);
  if (transformingRules.length > 0) warnOfTransformedEvents(endpoint, transformingRules);
}

/** CloudWatch accepts them; Dev and Prod of one app may be in one account, or one of them be deployed at a time. */
function warnOfSharedMetrics(endpoint: Emitter, others: readonly Emitter[]): void {
  const { endpointName, metricsNamespace } = endpoint;
  if (metricsNamespace === undefined || !isKnown(endpointName) || !isKnown(metricsNamespace)) return;
  const sharers = others.filter(
    (other) =>
      other.endpointName === endpointName &&
      other.metricsNamespace === metricsNamespace &&
      isOnePlace(endpoint, other, 'the same account and region'),
  );
  if (sharers.length === 0) return;
  Annotations.of(endpoint).addWarningV2(
    'sagabox:sharedMetrics',
    `metricsNamespace: '${metricsNamespace}' also takes the metrics of '${endpointName}' of ` +
      `${sharers.map(({ node }) => node.path).join(', ')}, in the same account and region. Give each a metricsNamespace ` +
      'of its own, such as one for each stage, or an endpointName of its own, or acknowledge this.',
  );
}

/** A watcher lists what every endpoint of its tables left. */
function warnOfUnreadList(endpoint: Emitter & Searched): void {
  const table = searchedTables([endpoint]).find(isWatched);
  if (table === undefined) return;
  Annotations.of(endpoint).addWarningV2(
    'sagabox:unreadList',
    `endpoints: the watcher of an OutboxRelay lists what this endpoint left unsent in '${table.node.path}', and no ` +
      'OutboxRelay of the app has the endpoint: its list grows, and nobody sends what is on it. Add the endpoint to the ' +
      'endpoints of that relay, give it an outboxTable of its own, or acknowledge this.',
  );
}

/** Source: "Configuring maximum concurrency for Amazon SQS event sources" in the AWS Lambda guide. */
function warnOfThrottles(endpoint: Construct, reservedConcurrency: number): void {
  Annotations.of(endpoint).addWarningV2(
    'sagabox:reservedConcurrency',
    `maxConcurrency: there is none, and the function has reservedConcurrentExecutions of ${reservedConcurrency}, so that ` +
      'Lambda throttles further batches: their messages count as received, and may go to the dead letter queue unhandled. ' +
      'Set maxConcurrency, which is at least 2, to at most what is reserved, or acknowledge this.',
  );
}

/** Source: "Use Lambda recursive loop detection to prevent infinite loops". */
function warnOfLoopDetection(endpoint: Construct & { readonly function: IFunction }): void {
  const rendered = renderedProperties(endpoint.function);
  if (rendered === undefined || rendered.RecursiveLoop !== undefined) return;
  Annotations.of(endpoint).addWarningV2(
    'sagabox:recursiveLoop',
    "function: Lambda's recursive loop detection ends a chain of more than about 16 messages, of which each is sent while " +
      'the one before is handled: the next goes to the dead letter queue, and the handler never sees it. Give the function ' +
      'recursiveLoop: RecursiveLoop.ALLOW, or RecursiveLoop.TERMINATE when no chain of messages is that long.',
  );
}

/** Source: "Configuring an Amazon SQS queue to use with Lambda", which advises at least 5. */
function warnOfSingleReceive(endpoint: Construct): void {
  Annotations.of(endpoint).addWarningV2(
    'sagabox:singleReceive',
    'maxReceiveCount: it is 1, so that a message goes to the dead letter queue, unhandled, when a function is throttled or ' +
      'dies once, and a failure is never tried again later. Use 5, or acknowledge this.',
  );
}

/** An event without its own id is known by that of SQS, which is another one when EventBridge delivers again. */
function warnOfTransformedEvents(endpoint: Construct, rules: readonly string[]): void {
  Annotations.of(endpoint).addWarningV2(
    'sagabox:transformedEvents',
    `queue: ${rules.join(', ')} sends parts of events to it, or a text of its own, in which the endpoint finds neither the ` +
      'type nor the id of a message. Use subscribesTo, or leave the input of the rule out, or acknowledge this if it has both.',
  );
}
