import type { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { defined } from '../../core/defined.ts';
import type { EndpointOutput } from '../../core/operating/endpoint-output.ts';
import { RefusedInput, refusedConfiguration } from '../command.ts';
import { readDeployedEndpoint } from '../deployed/deployed-endpoint.ts';
import { withCloudFormation } from '../deployed/stack-outputs.ts';
import type { FailureQueueName, RedriveOptions, RedriveValues } from './options.ts';

const urlOf: Readonly<Record<FailureQueueName, (endpoint: EndpointOutput) => string | undefined>> = {
  errors: ({ errorQueueUrl }) => errorQueueUrl,
  'dead-letters': ({ deadLetterQueueUrl }) => deadLetterQueueUrl,
  undelivered: ({ undeliveredQueueUrl }) => undeliveredQueueUrl,
};

/**
 * The queues of a run: those of the command line, or those of the endpoint that it names.
 *
 * @throws RefusedInput
 */
export async function redriveOptionsOf(values: RedriveValues): Promise<RedriveOptions> {
  const { stack, endpoint, from, queue } = values;
  if (stack === undefined) {
    if (from === undefined)
      throw new RefusedInput(['pass --from <url>, or --stack <name> and --endpoint <name>']);
    if (endpoint !== undefined || queue !== undefined) {
      throw new RefusedInput(['--endpoint and --queue are for --stack: --from names the queue itself']);
    }
    return { ...values, from };
  }
  if (endpoint === undefined) throw new RefusedInput(['--stack needs --endpoint <name>']);
  return await withCloudFormation((client) => deployedOptions(client, { ...values, stack, endpoint })).catch(
    refusedConfiguration,
  );
}

export async function deployedOptions(
  client: CloudFormationClient,
  { stack, endpoint, queue = 'errors', ...values }: RedriveValues & { stack: string; endpoint: string },
): Promise<RedriveOptions> {
  const deployed = await readDeployedEndpoint(client, stack, endpoint);
  const from = urlOf[queue](deployed);
  if (from === undefined) {
    const others = Object.entries(urlOf).flatMap(([name, find]) =>
      find(deployed) === undefined ? [] : [name],
    );
    const known = others.length === 0 ? 'and none of the others' : `but ${others.join(', ')}`;
    throw new RefusedInput([`--queue: the endpoint '${endpoint}' has no queue '${queue}', ${known}`]);
  }
  return { ...values, from, ...defined({ ownQueueUrl: deployed.queueUrl }) };
}
