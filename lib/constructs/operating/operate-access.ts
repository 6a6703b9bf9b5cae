import { Annotations, Stack } from 'aws-cdk-lib';
import { Grant, type IGrantable } from 'aws-cdk-lib/aws-iam';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import type { Construct, IConstruct } from 'constructs';
import type { RelayStrategy } from '../../relay/relay-defaults.ts';
import type { AnyTable } from '../construct-types.ts';
import { grantKey, grantSend } from '../destinations/queue-access.ts';
import { queueReference } from '../destinations/queue-reference.ts';
import {
  assertGrantee,
  granteeProblem,
  holderOf,
  isPolicy,
  refusedGrant,
  takesPolicies,
} from '../grantees.ts';
import { watchLimits } from '../limits/stack-limits.ts';
import { acknowledgeWildcard } from '../nag-suppressions.ts';
import { embeddedTableOf } from '../relay/embedded-endpoints.ts';
import { grantEmbeddedRelay, grantOutboxRelay } from '../relay/outbox-relay-access.ts';
import {
  leadingKeysCondition,
  leadingKeysOf,
  recordsCondition,
  sagasCondition,
  unsentCondition,
} from '../tables/leading-keys.ts';
import { isCertainlySameTable } from '../tables/same-table.ts';
import { grantOperations } from '../tables/table-access.ts';
import { streamOf } from '../tables/table-stream.ts';

/** What `sagabox redrive` does with a queue that it moves messages out of. */
const moveOutActions = [
  'sqs:ChangeMessageVisibility',
  'sqs:DeleteMessage',
  'sqs:GetQueueAttributes',
  'sqs:ReceiveMessage',
] as const;

/** By key: whoever looks at a saga or a record knows its id. A Scan would read all of them. */
const readOperations = ['BatchGetItem', 'GetItem', 'Query'] as const;

interface OperatedEndpoint extends Construct {
  readonly endpointName: string;
  /** Undefined for an endpoint that only sends, which has none of what comes with a queue. */
  readonly queue?: IQueue;
  readonly errorQueue?: IQueue | undefined;
  readonly deadLetterQueue?: IQueue | undefined;
  readonly sagaTable?: AnyTable | undefined;
  readonly outboxTable: AnyTable | undefined;
  readonly embeddedOutbox?: boolean;
  grantDispatch(grantee: IGrantable): Grant;
}

/** Allows what people and pipelines do with an endpoint that runs: redrive, relay, and read. */
export function grantOperate(
  endpoint: OperatedEndpoint,
  grantee: IGrantable,
  subscribed?: { whenUndelivered(use: (queue: IQueue) => void): void },
): Grant {
  assertGrantee('grantOperate', endpoint, grantee);
  const holder = isPolicy(grantee) ? grantee : holderOf(grantee);
  const problem = granteeProblem(endpoint, grantee);
  if (holder === undefined || problem !== undefined) {
    // What a queue allows is the least of it, and it would allow that to everyone if the grantee were.
    return refusedGrant(endpoint, 'grantOperate', grantee, problem ?? withoutPolicies(grantee));
  }
  watchLimits(holder);
  const { errorQueue, deadLetterQueue, queue, sagaTable, outboxTable } = endpoint;
  const grants = [grantDescribe(endpoint, grantee)];
  if (queue !== undefined) grants.push(grantSend(queue, grantee), queue.grant(grantee, 'sqs:GetQueueUrl'));
  for (const failures of [deadLetterQueue, errorQueue]) {
    if (failures !== undefined) grants.push(grantMoveOut(endpoint, failures, grantee));
  }
  subscribed?.whenUndelivered((queue) => grantMoveOut(endpoint, queue, grantee));
  const list = unsentCondition([endpoint]);
  const restricted = { endpointName: endpoint.endpointName, leadingKeys: leadingKeysOf(endpoint) };
  for (const table of new Set([sagaTable, outboxTable])) {
    if (table === undefined) continue;
    const parts = [
      ...(table === sagaTable ? (['sagas'] as const) : []),
      ...(table === outboxTable ? (['outbox'] as const) : []),
    ];
    grants.push(grantOperations(table, grantee, readOperations, leadingKeysCondition(restricted, parts)));
  }
  if (outboxTable !== undefined) {
    const conditions = { items: recordsCondition([endpoint]), list };
    grants.push(grantOutboxRelay(outboxTable, grantee, strategiesFor(outboxTable), conditions));
    grants.push(endpoint.grantDispatch(grantee));
  }
  const embedded = embeddedTableOf(endpoint);
  if (embedded !== undefined) {
    // What is allowed of the outbox table finds what is there.
    const strategies = isCertainlySameTable(embedded, outboxTable) ? [] : strategiesFor(embedded);
    const conditions = { items: sagasCondition([endpoint]), list };
    grants.push(grantEmbeddedRelay(embedded, grantee, strategies, conditions));
  }
  if (!takesPolicies(holder)) warnOfImmutable(endpoint, holder);
  return grants.reduce((all, grant) => all.combine(grant));
}

/** The scan is due by hand where a stream was not read, too. */
function strategiesFor(table: AnyTable): RelayStrategy[] {
  return streamOf(table) === undefined ? ['scan'] : ['stream', 'scan'];
}

function withoutPolicies({ grantPrincipal }: IGrantable): string {
  return `the grantee is of the kind ${grantPrincipal.constructor.name}, which has no policies of its own to add to`;
}

function warnOfImmutable(endpoint: Construct, { node }: IConstruct): void {
  Annotations.of(endpoint).addWarningV2(
    'sagabox:operatingRole',
    `grantOperate: '${node.path}' takes no policies of the app, so that nothing is granted to it. Import it as mutable, ` +
      'or see that it has the statements which a role of the app gets.',
  );
}

/** The outputs of the stack name all queues and tables. */
function grantDescribe(endpoint: Construct, grantee: IGrantable): Grant {
  const stack = Stack.of(endpoint);
  const resourceName = `${stack.stackName}/*`;
  const stackArn = stack.formatArn({ service: 'cloudformation', resource: 'stack', resourceName });
  acknowledgeWildcard(
    grantee,
    stackArn,
    'The ARN of a stack ends in an id that nobody knows before it is made.',
  );
  return Grant.addToPrincipal({
    grantee,
    actions: ['cloudformation:DescribeStacks'],
    resourceArns: [stackArn],
  });
}

function grantMoveOut(endpoint: Construct, queue: IQueue, grantee: IGrantable): Grant {
  grantKey(queue.encryptionMasterKey, ['kms:Decrypt'], grantee);
  const { queueArn } = queueReference(endpoint, queue);
  return Grant.addToPrincipal({ grantee, actions: [...moveOutActions], resourceArns: [queueArn] });
}
