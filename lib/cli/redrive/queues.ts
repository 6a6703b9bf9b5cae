import type { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import type { EndpointOutput } from '../../settings/endpoint-output.ts';
import { RefusedInput, refusedConfiguration } from '../command.ts';
import { endpointNamed, readDeployedEndpoints } from '../deployed/deployed-endpoint.ts';
import { withCloudFormation } from '../deployed/stack-outputs.ts';
import type { DeployedQueues, FailureQueueName, RedriveOptions, RedriveValues } from './options.ts';

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
  const endpoints = await readDeployedEndpoints(client, stack);
  const own = endpointNamed(endpoint, endpoints, stack);
  const from = urlOf[queue](own);
  if (from === undefined) {
    const others = Object.entries(urlOf).flatMap(([name, find]) => (find(own) === undefined ? [] : [name]));
    const known = others.length === 0 ? 'and none of the others' : `but ${others.join(', ')}`;
    throw new RefusedInput([`--queue: the endpoint '${endpoint}' has no queue '${queue}', ${known}`]);
  }
  const deployed = deployedQueues(queue, { stack, own, endpoints });
  return { ...values, from, ...(deployed && { deployed }) };
}

/** Endpoints may share an error queue. Into the others nothing is forwarded: a failure header there is a sender's. */
function deployedQueues(
  queue: FailureQueueName,
  { stack, own, endpoints }: { stack: string; own: EndpointOutput; endpoints: readonly EndpointOutput[] },
): DeployedQueues | undefined {
  if (queue === 'errors') {
    return { kind: 'forwarded', stack, queueUrls: endpoints.flatMap(({ queueUrl = [] }) => queueUrl) };
  }
  return own.queueUrl === undefined ? undefined : { kind: 'undelivered', queueUrl: own.queueUrl };
}
