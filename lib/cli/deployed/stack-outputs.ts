import type { CloudFormationClient, Output } from '@aws-sdk/client-cloudformation';
import { loadOptionalPackage } from '../../kernel/calls/optional-package.ts';
import { SagaboxError } from '../../kernel/errors/errors.ts';
import { clientRegion } from '../client-region.ts';

const packageName = '@aws-sdk/client-cloudformation';
const loadClients = () =>
  loadOptionalPackage(
    packageName,
    'reading the outputs of a stack',
    () => import('@aws-sdk/client-cloudformation'),
  );

/** Runs the work with a client of the environment's account and region. */
export async function withCloudFormation<T>(work: (client: CloudFormationClient) => Promise<T>): Promise<T> {
  const { CloudFormationClient } = await loadClients();
  const client = new CloudFormationClient({});
  try {
    return await work(client);
  } finally {
    client.destroy();
  }
}

/**
 * @param stackName its name, or its ARN
 * @throws SagaboxError `Configuration` when there is no such stack in the region, no region is set, or the
 *   stack may not be described
 */
export async function readStackOutputs(client: CloudFormationClient, stackName: string): Promise<Output[]> {
  const { paginateDescribeStacks } = await loadClients();
  const region = await clientRegion(client, 'the stack');
  const outputs: Output[] = [];
  try {
    for await (const { Stacks: stacks = [] } of paginateDescribeStacks(
      { client },
      { StackName: stackName },
    )) {
      outputs.push(...stacks.flatMap(({ Outputs = [] }) => Outputs));
    }
  } catch (cause) {
    throw refusalOf(cause, stackName, region) ?? cause;
  }
  return outputs;
}

function refusalOf(cause: unknown, stackName: string, region: string): SagaboxError | undefined {
  const { name, message } = cause as Error;
  if (name === 'ValidationError' && message.includes('does not exist')) {
    return new SagaboxError(
      'Configuration',
      {
        setting: '--stack',
        problem: `there is no stack '${stackName}' in ${region} of this account`,
        remedy: 'Name a deployed stack; set AWS_REGION to its region, and use credentials of its account',
      },
      { cause },
    );
  }
  if (name !== 'AccessDenied' && name !== 'AccessDeniedException') return undefined;
  return new SagaboxError(
    'Configuration',
    {
      setting: '--stack',
      problem: `the outputs of '${stackName}' may not be read: ${message}`,
      remedy: 'Allow cloudformation:DescribeStacks on the stack, as grantOperate of the endpoint does',
    },
    { cause },
  );
}
