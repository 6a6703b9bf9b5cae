import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** The outputs of stacks, by their names, in pages. */
export type StacksOfServer = Readonly<Record<string, readonly (readonly string[])[]>>;

/** Answers DescribeStacks of CloudFormation, in the XML of its wire. @returns its address, and how to end it */
export async function startStackOutputs(stacks: StacksOfServer) {
  const server = createServer(async (request, response) => {
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
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
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
