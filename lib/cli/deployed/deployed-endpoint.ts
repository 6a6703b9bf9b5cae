import type { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { SagaboxError } from '../../kernel/errors/errors.ts';
import { parsedJson } from '../../kernel/parsed-json.ts';
import type { EndpointOutput } from '../../settings/endpoint-output.ts';
import { readStackOutputs } from './stack-outputs.ts';

/**
 * What an endpoint of a deployed stack consists of.
 *
 * @throws SagaboxError `Configuration` when the stack cannot be read, or tells of no endpoint of this name
 */
export async function readDeployedEndpoint(
  client: CloudFormationClient,
  stackName: string,
  endpointName: string,
): Promise<EndpointOutput> {
  return endpointNamed(endpointName, await readDeployedEndpoints(client, stackName), stackName);
}

/**
 * All endpoints of a deployed stack.
 *
 * @throws SagaboxError `Configuration` when the stack cannot be read
 */
export async function readDeployedEndpoints(
  client: CloudFormationClient,
  stackName: string,
): Promise<EndpointOutput[]> {
  const outputs = await readStackOutputs(client, stackName);
  return outputs.flatMap(({ OutputValue: value = '' }) => endpointOf(value) ?? []);
}

/** @throws SagaboxError `Configuration` when none of them has this name */
export function endpointNamed(
  endpointName: string,
  endpoints: readonly EndpointOutput[],
  stackName: string,
): EndpointOutput {
  const found = endpoints.find(({ sagaboxEndpoint }) => sagaboxEndpoint === endpointName);
  if (found !== undefined) return found;
  const names = endpoints.map(({ sagaboxEndpoint }) => sagaboxEndpoint).sort();
  throw new SagaboxError('Configuration', {
    setting: '--endpoint',
    ...(names.length === 0
      ? {
          problem: `no output of the stack '${stackName}' tells of an endpoint`,
          remedy:
            'Name the stack of the MessageEndpoint; deploy it with this version, and without operatingOutput: false',
        }
      : {
          problem: `the stack '${stackName}' has no endpoint '${endpointName}', but ${names.join(', ')}`,
          remedy: 'Name one of these, or the stack of the endpoint',
        }),
  });
}

/** @returns undefined for an output that is none of ours */
function endpointOf(value: string): EndpointOutput | undefined {
  const parsed = parsedJson(value) as Partial<EndpointOutput> | null | undefined;
  return typeof parsed?.sagaboxEndpoint === 'string' ? (parsed as EndpointOutput) : undefined;
}
