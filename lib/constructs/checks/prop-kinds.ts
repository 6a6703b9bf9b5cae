import { CfnResource, type Duration, Token } from 'aws-cdk-lib';
import { Construct } from 'constructs';
import { type Bounds, numberIn, rangeProblem } from '../../kernel/checks/bounds.ts';
import {
  aString,
  type Check,
  checkOf,
  kind,
  listOf,
  oneOf as oneOfStrings,
  oneOfThese,
  unless,
} from '../../kernel/checks/checks.ts';
import { isJsonObject } from '../../kernel/values/value-kind.ts';

/*
 * A string, number or list that is known only at deployment is one for JavaScript too. Objects and constructs
 * may come from another copy of a package, so that their members tell what they are.
 */

interface Wrapping {
  /** What the construct has. */
  readonly member: string;
  readonly code: string;
  /** For a FIFO resource. @default code */
  readonly fifo?: string;
}

/** By type of the L1 resource. */
const wrappings: Readonly<Record<string, Wrapping>> = {
  'AWS::DynamoDB::Table': {
    member: 'tableArn',
    code: 'MessagingTable.fromTableArn(scope, id, table.attrArn)',
  },
  'AWS::DynamoDB::GlobalTable': {
    member: 'tableArn',
    code: 'MessagingTable.fromTableArn(scope, id, table.attrArn)',
  },
  'AWS::Events::EventBus': {
    member: 'eventBusArn',
    code: 'EventBus.fromEventBusArn(scope, id, bus.attrArn)',
  },
  'AWS::KMS::Key': { member: 'keyArn', code: 'Key.fromKeyArn(scope, id, key.attrArn)' },
  'AWS::S3::Bucket': { member: 'bucketArn', code: 'Bucket.fromBucketArn(scope, id, bucket.attrArn)' },
  'AWS::SNS::Topic': {
    member: 'topicArn',
    code: 'Topic.fromTopicArn(scope, id, topic.ref)',
    // CDK tells a FIFO topic by the end of its ARN.
    fifo: "Topic.fromTopicArn(scope, id, stack.formatArn({ service: 'sns', resource: '<name>.fifo' }))",
  },
  'AWS::SQS::Queue': {
    member: 'queueArn',
    code: 'Queue.fromQueueArn(scope, id, queue.attrArn)',
    fifo: 'Queue.fromQueueAttributes(scope, id, { queueArn: queue.attrArn, fifo: true })',
  },
};

export const strings = listOf(aString);

/** A number in bounds, or one that is known only at deployment. */
export function aNumberIn(bounds: Bounds): Check {
  return unless(isToken, numberIn(bounds));
}

/** For what only the service looks at. */
export const trueOrFalseOrToken = kind('true or false', (value) => isBoolean(value) || isToken(value));

export const aDuration = kind(
  'a Duration of aws-cdk-lib',
  (value) => hasMembers(value, 'toSeconds', 'toMilliseconds', 'isUnresolved'),
  'Use one such as Duration.minutes(5)',
);

/** A duration of whole seconds in bounds, or one that is known only at deployment. */
export function aDurationOf(bounds: Pick<Bounds, 'min' | 'max'>): Check {
  return (value, at, report) => {
    const duration = aDuration(value, at, report) as Duration | undefined;
    if (duration === undefined || duration.isUnresolved()) return duration;
    const found = rangeProblem(duration.toMilliseconds() / 1000, { ...bounds, unit: 'seconds' });
    if (found === undefined) return duration;
    report.add(at, found.problem, found.remedy);
    return undefined;
  };
}

export const aTable = aConstruct('a table', 'tableArn');
export const aQueue = aConstruct('a queue', 'queueArn');
export const aTopic = aConstruct('a topic', 'topicArn');
export const anEventBus = aConstruct('an event bus', 'eventBusArn');
export const aBucket = aConstruct('a bucket', 'bucketArn');
export const aKey = aConstruct('a key of KMS', 'keyArn');

/** Of this app: one that is declared elsewhere has no function. */
export const aMessageEndpoint = aConstruct(
  'a MessageEndpoint of the app',
  'endpointName',
  'queue',
  'function',
);

/** Of this app, with or without a queue. */
export const anEndpointWithRecords = aConstruct(
  'a MessageEndpoint or a SendOnlyEndpoint of the app',
  'endpointName',
  'deduplicationPeriod',
);

export const anArchitecture = kind(
  'an Architecture',
  (value) => hasMembers(value, 'name', 'dockerPlatform'),
  'Use one such as Architecture.ARM_64',
);

/** @param name with its article, as in 'a queue' */
export function aConstruct(name: string, ...members: readonly string[]): Check {
  return orToBeWrapped(
    kind(name, (value) => isConstructWith(value, ...members)),
    ...members,
  );
}

/** Tells how to wrap an L1 resource that would have one of the members. */
export function orToBeWrapped(check: Check, ...members: readonly string[]): Check {
  return (value, at, report) => {
    const wrapping = wrappingOf(value, ...members);
    if (wrapping === undefined) return check(value, at, report);
    report.add(at, `${report.describe(value)} is an L1 resource`, `Wrap it, as in ${wrapping}`);
    return undefined;
  };
}

/** Code that makes a construct with one of these members of an L1 resource; `undefined` for anything else. */
export function wrappingOf(value: unknown, ...members: readonly string[]): string | undefined {
  if (!Construct.isConstruct(value) || !CfnResource.isCfnResource(value)) return undefined;
  const wrapping = wrappings[value.cfnResourceType];
  if (wrapping === undefined || !members.includes(wrapping.member)) return undefined;
  const { fifoQueue, fifoTopic } = value as { readonly fifoQueue?: unknown; readonly fifoTopic?: unknown };
  return (fifoQueue ?? fifoTopic) === true ? (wrapping.fifo ?? wrapping.code) : wrapping.code;
}

export function isConstructWith(value: unknown, ...members: readonly string[]): boolean {
  return Construct.isConstruct(value) && hasMembers(value, ...members);
}

/** Without a look at what they are: a getter may throw. */
export function hasMembers(value: unknown, ...members: readonly string[]): value is object {
  return isJsonObject(value) && members.every((member) => member in value);
}

export function isBoolean(value: unknown): value is boolean {
  return typeof value === 'boolean';
}

export function isFalse(value: unknown): value is false {
  return value === false;
}

/** @param remedy without its full stop, as in 'Use 3 to 255 letters and digits' */
export function aNameOf(what: string, pattern: RegExp, remedy: string): Check {
  const isName = (value: unknown) => typeof value === 'string' && (isToken(value) || pattern.test(value));
  return checkOf(
    (value, described) => (isName(value) ? undefined : `${described()} is no name of ${what}`),
    remedy,
  );
}

/** One of a few strings. */
export function oneOf(...known: readonly string[]): Check {
  return unless((value) => typeof value === 'string' && isToken(value), oneOfStrings(...known));
}

/** A member of an enumeration of CDK. */
export function memberOf(name: string, enumeration: Readonly<Record<string, string | number>>): Check {
  // Those of numbers have the names by their numbers, too.
  const names = Object.keys(enumeration).filter((member) => Number.isNaN(Number(member)));
  const known = names.map((member) => enumeration[member]);
  const isOfType = (value: unknown) => typeof value === typeof known[0] && isToken(value);
  return unless(isOfType, oneOfThese(known, `a value of ${name}`));
}

function isToken(value: unknown): boolean {
  return Token.isUnresolved(value);
}
