import { text } from 'node:stream/consumers';
import { startLoopbackServer } from '../../lib/local/engines/loopback-server.ts';
import type { RunningEngine } from '../../lib/local/engines/running-engine.ts';

/** The outputs of stacks, by their names, in pages. */
export type StacksOfServer = Readonly<Record<string, readonly (readonly string[])[]>>;

/** Answers DescribeStacks of CloudFormation, in the XML of its wire. @returns its address, and how to end it */
export async function startStackOutputs(stacks: StacksOfServer): Promise<RunningEngine> {
  return await startLoopbackServer(async (request, response) => {
    const form = new URLSearchParams(await text(request));
    const name = form.get('StackName') ?? '';
    const page = Number(form.get('NextToken') ?? 0);
    const pages = stacks[name];
    if (form.get('Action') !== 'DescribeStacks' || name === 'Secret') {
      response.writeHead(403).end(errorXml('AccessDenied', 'User: operator is not authorized'));
    } else if (pages === undefined) {
      response.writeHead(400).end(errorXml('ValidationError', `Stack with id ${name} does not exist`));
    } else {
      response.writeHead(200).end(pageXml(name, pages[page] ?? [], pages[page + 1] && String(page + 1)));
    }
  });
}

function pageXml(name: string, values: readonly string[], next: string | undefined): string {
  const outputs = values.map((value, index) => {
    const [key, escaped] = [`Output${index}`, value.replaceAll('&', '&amp;').replaceAll('<', '&lt;')];
    return `<member><OutputKey>${key}</OutputKey><OutputValue>${escaped}</OutputValue></member>`;
  });
  const stack =
    `<member><StackName>${name}</StackName><CreationTime>2026-01-02T03:04:05Z</CreationTime>` +
    `<StackStatus>CREATE_COMPLETE</StackStatus><Outputs>${outputs.join('')}</Outputs></member>`;
  const token = next === undefined ? '' : `<NextToken>${next}</NextToken>`;
  const result = `<DescribeStacksResult><Stacks>${stack}</Stacks>${token}</DescribeStacksResult>`;
  return `<DescribeStacksResponse xmlns="http://cloudformation.amazonaws.com/doc/2010-05-15/">${result}</DescribeStacksResponse>`;
}

function errorXml(code: string, message: string): string {
  return `<ErrorResponse><Error><Type>Sender</Type><Code>${code}</Code><Message>${message}</Message></Error></ErrorResponse>`;
}
