import { Annotations, Resource, Token } from 'aws-cdk-lib';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import type { IConstruct } from 'constructs';
import { sendActions } from '../destinations/queue-access.ts';
import type { SourceService } from './allowed-sources.ts';

/** The policy of an imported queue stays as it is, and a topic or rule that it does not allow delivers nothing. */
export function warnOfImportedQueue(
  queue: IQueue,
  service: SourceService,
  source: IConstruct,
  sourceArn: string,
): void {
  if (Resource.isOwnedResource(queue)) return;
  const { path } = source.node;
  const arn = Token.isUnresolved(sourceArn) ? `the ARN of '${path}'` : `'${sourceArn}'`;
  Annotations.of(queue).addWarningV2(
    `sagabox:queuePolicy:${service}:${path}`,
    `queue: '${queue.node.path}' is imported, so that its policy stays as it is. Let its owner add a statement that allows ` +
      `${service} ${sendActions.join(' and ')}, with ArnEquals for aws:SourceArn and ${arn}: without that, what the ` +
      'endpoint subscribes to is not delivered.',
  );
}
