import { Aws, Token } from 'aws-cdk-lib';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import { type IQueue, Queue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { aNumber, anyValue, aString, trueOrFalse } from '../../kernel/checks/checks.ts';
import { defined } from '../../kernel/defined.ts';
import { limits } from '../../kernel/limits.ts';
import { describeProp } from '../checks/describe-prop.ts';
import { checkedProps, type PropChecks } from '../checks/prop-checks.ts';
import { aKey } from '../checks/prop-kinds.ts';
import { assertInStack } from '../places.ts';
import { Violations } from '../violations.ts';
import { MessageEndpointBase } from './message-endpoint-base.ts';

/** What is known of an endpoint that is declared in another stack, app or account. */
export interface MessageEndpointAttributes {
  /** The `endpointName` that it was declared with. */
  readonly endpointName: string;

  /** The ARN of its queue. Declare the endpoint with a `queueName`, so that the ARN is known. */
  readonly queueArn: string;

  /**
   * Whether the queue is FIFO. Needed only if the ARN is a token: the name of an ARN that is known tells it.
   *
   * @default - whether the name of the queue ends in `.fifo`
   */
  readonly fifo?: boolean;

  /**
   * The customer managed key of the queue. Senders are granted its use. The policy of a key of another
   * account must also allow them.
   *
   * @default - a key owned by SQS
   */
  readonly encryptionKey?: IKey;

  /**
   * The ARN of its dead letter queue, for metrics.
   *
   * @default - not known
   */
  readonly deadLetterQueueArn?: string;

  /**
   * The ARN of its error queue, for metrics.
   *
   * @default - not known
   */
  readonly errorQueueArn?: string;

  /**
   * The `metricsNamespace` that it was declared with, for {@link MessageEndpoint.metric}.
   *
   * @default - not known
   */
  readonly metricsNamespace?: string;

  /**
   * The maximum size of a message with its attributes: 1,024 to 1,048,576 bytes.
   *
   * @default 1048576
   */
  readonly maxMessageSizeBytes?: number;
}

const messageEndpointAttributesChecks: PropChecks<MessageEndpointAttributes> = {
  // Each of these three has rules of its own.
  endpointName: anyValue,
  queueArn: anyValue,
  deadLetterQueueArn: anyValue,
  errorQueueArn: anyValue,
  fifo: trueOrFalse,
  encryptionKey: aKey,
  metricsNamespace: aString,
  maxMessageSizeBytes: aNumber,
};

/** The ARN that takes the place of a wrong one until the synth reports it: of the own region, so that no rule finds it wrong too. */
const anyQueueArn = `arn:aws:sqs:${Aws.REGION}:${Aws.ACCOUNT_ID}:unknown`;

type QueueAttributes = Pick<MessageEndpointAttributes, 'queueArn' | 'encryptionKey' | 'fifo'>;

/** An endpoint that is declared elsewhere. */
export class ImportedEndpoint extends MessageEndpointBase {
  readonly endpointName: string;
  readonly queue: IQueue;
  readonly deadLetterQueue: IQueue | undefined;
  readonly errorQueue: IQueue | undefined;
  readonly metricsNamespace: string | undefined;
  readonly maxMessageSizeBytes: number;

  constructor(scope: Construct, id: string, given: MessageEndpointAttributes) {
    super(scope, id);
    assertInStack(this);
    const violations = new Violations(this);
    const attributes = checkedProps(given, messageEndpointAttributesChecks, violations);
    this.endpointName = knownName(attributes.endpointName, id, violations);
    this.metricsNamespace = attributes.metricsNamespace;
    const importQueue = (queueId: string, setting: keyof MessageEndpointAttributes, arn: unknown) =>
      this.#import(queueId, { ...attributes, queueArn: checkedArn(setting, arn, violations) });
    const { queueArn, deadLetterQueueArn, errorQueueArn, maxMessageSizeBytes } = attributes;
    this.queue = importQueue('Queue', 'queueArn', queueArn);
    reportOtherKind(attributes, violations);
    if (deadLetterQueueArn !== undefined) {
      this.deadLetterQueue = importQueue('DeadLetterQueue', 'deadLetterQueueArn', deadLetterQueueArn);
    }
    if (errorQueueArn !== undefined) {
      this.errorQueue = importQueue('ErrorQueue', 'errorQueueArn', errorQueueArn);
    }
    const sizes = { min: limits.minMessageBytes, max: limits.messageBytes };
    this.maxMessageSizeBytes =
      violations.inRange('maxMessageSizeBytes', maxMessageSizeBytes, sizes, limits.messageBytes) ??
      limits.messageBytes;
  }

  #import(id: string, { queueArn, encryptionKey, fifo }: QueueAttributes): IQueue {
    // The name of an ARN that is known tells its kind, and CDK throws when it is told otherwise.
    const kind = Token.isUnresolved(queueArn) ? fifo : undefined;
    return Queue.fromQueueAttributes(
      this,
      id,
      defined({ queueArn, keyArn: encryptionKey?.keyArn, fifo: kind }) as { queueArn: string },
    );
  }
}

function knownName(endpointName: unknown, id: string, violations: Violations): string {
  if (typeof endpointName === 'string' && endpointName !== '') return endpointName;
  const problem = endpointName === '' ? 'it is empty' : `${describeProp(endpointName)} is no name`;
  violations.add('endpointName', problem, 'Give the name that the endpoint was declared with');
  return id.toLowerCase();
}

function checkedArn(setting: keyof MessageEndpointAttributes, arn: unknown, violations: Violations): string {
  const isQueue = typeof arn === 'string' && (Token.isUnresolved(arn) || isQueueArn(arn));
  if (isQueue) return arn;
  violations.add(
    setting,
    `${describeProp(arn)} is not the ARN of a queue`,
    'Use one like arn:aws:sqs:eu-west-1:111111111111:billing',
  );
  return anyQueueArn;
}

function reportOtherKind(
  { queueArn, fifo }: Partial<MessageEndpointAttributes>,
  violations: Violations,
): void {
  if (fifo === undefined || typeof queueArn !== 'string' || !isQueueArn(queueArn)) return;
  if (queueArn.endsWith('.fifo') === fifo) return;
  const problem = `it is ${fifo}, and '${queueArn}' is that of a ${fifo ? 'standard' : 'FIFO'} queue`;
  violations.add('fifo', problem, 'Leave it out, or give the ARN of the other queue');
}

function isQueueArn(arn: string): boolean {
  return /^arn:[^:]+:sqs:[^:]+:[^:]+:[A-Za-z0-9_-]{1,80}(?:\.fifo)?$/.test(arn);
}
