import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import type { AssemblyStack } from './cloud-assembly.ts';
import { localStackId } from './identity.ts';

/** Values by logical id, of each stack by its name. */
export type StackOutputs = ReadonlyMap<string, Readonly<Record<string, string>>>;

/** @param outputs of all stacks, by `Stack.LogicalId` among others */
export function stackOutputsOf(
  stacks: readonly AssemblyStack[],
  outputs: Readonly<Record<string, string>>,
): StackOutputs {
  return new Map(
    stacks.map(({ name, template }) => {
      const logicalIds = Object.keys(template.Outputs ?? {});
      return [name, Object.fromEntries(logicalIds.map((id) => [id, outputs[`${name}.${id}`] ?? '']))];
    }),
  );
}

/**
 * Plays `DescribeStacks` of CloudFormation with what tools read of it, the outputs; nothing else of it.
 *
 * Source: "DescribeStacks", AWS CloudFormation API Reference.
 */
export async function answerDescribeStacks(
  stacks: StackOutputs,
  incoming: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const answer = (status: number, xml: string): void => {
    response.writeHead(status, { 'content-type': 'text/xml' }).end(xml);
  };
  const refuse = (code: string, message: string): void =>
    answer(
      400,
      `<ErrorResponse xmlns="${namespace}"><Error><Type>Sender</Type><Code>${code}</Code>` +
        `<Message>${escaped(message)}</Message></Error></ErrorResponse>`,
    );
  const form = new URLSearchParams(await text(incoming));
  if (form.get('Action') !== 'DescribeStacks') {
    return refuse('InvalidAction', 'This is a local app: of CloudFormation it plays DescribeStacks');
  }
  const wanted = form.get('StackName');
  const described = [...stacks].filter(([name]) => [null, name, localStackId(name)].includes(wanted));
  if (wanted !== null && described.length === 0) {
    return refuse('ValidationError', `Stack with id ${wanted} does not exist`);
  }
  const members = described.map(([name, outputs]) => stackXml(name, outputs)).join('');
  answer(
    200,
    `<DescribeStacksResponse xmlns="${namespace}"><DescribeStacksResult><Stacks>${members}</Stacks>` +
      '</DescribeStacksResult></DescribeStacksResponse>',
  );
}

const namespace = 'http://cloudformation.amazonaws.com/doc/2010-05-15/';

function stackXml(name: string, outputs: Readonly<Record<string, string>>): string {
  const members = Object.entries(outputs).map(
    ([id, value]) =>
      `<member><OutputKey>${id}</OutputKey><OutputValue>${escaped(value)}</OutputValue></member>`,
  );
  return (
    `<member><StackName>${name}</StackName><StackId>${localStackId(name)}</StackId>` +
    `<CreationTime>${new Date().toISOString()}</CreationTime><StackStatus>CREATE_COMPLETE</StackStatus>` +
    `<Outputs>${members.join('')}</Outputs></member>`
  );
}

function escaped(value: string): string {
  return value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
