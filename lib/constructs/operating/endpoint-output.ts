import { CfnOutput, Lazy, Stack } from 'aws-cdk-lib';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { defined } from '../../kernel/defined.ts';
import type { EndpointOutput } from '../../settings/endpoint-output.ts';
import { queueReference } from '../destinations/queue-reference.ts';

interface OperatedEndpoint extends Construct {
  readonly endpointName: string;
  readonly queue?: IQueue;
  readonly errorQueue?: IQueue | undefined;
  readonly deadLetterQueue?: IQueue | undefined;
  readonly undeliveredQueue?: IQueue | undefined;
  readonly handlerEnvironment: Readonly<Record<string, string>>;
}

/**
 * Adds an output to the endpoint's stack that tells `sagabox redrive` and `sagabox relay` all that they need.
 * It is not exported: the value of an export ends at 1,024 characters.
 */
export function outputEndpoint(
  endpoint: OperatedEndpoint,
  { operatingOutput = true }: { readonly operatingOutput?: boolean },
): void {
  if (!operatingOutput) return;
  const described = (): EndpointOutput => ({
    sagaboxEndpoint: endpoint.endpointName,
    ...defined({
      queueUrl: endpoint.queue?.queueUrl,
      errorQueueUrl: endpoint.errorQueue && queueReference(endpoint, endpoint.errorQueue).queueUrl,
      deadLetterQueueUrl: endpoint.deadLetterQueue?.queueUrl,
      undeliveredQueueUrl: endpoint.undeliveredQueue?.queueUrl,
    }),
    environment: endpoint.handlerEnvironment,
  });
  new CfnOutput(endpoint, 'Operating', {
    description: `The endpoint '${endpoint.endpointName}' for ${endpoint.queue ? "'sagabox redrive' and 'sagabox relay'" : "'sagabox relay'"}`,
    // At synth: what the endpoint subscribes to later may add a queue.
    value: Lazy.string({ produce: () => Stack.of(endpoint).toJsonString(described()) }),
  });
}
