import { spawnSync } from 'node:child_process';
import { expect, it } from '@jest/globals';
import { inModules, oddContracts, reusingContracts, sample } from '../cli/contracts/contract-modules.ts';
import { runCommandLine } from '../support/command-io.ts';

/** What AsyncAPI's own parser says of documents, in a process of its own: it loads what Jest need not keep. */
function readByParser(documents: readonly string[]): unknown {
  const script = `
    const { text } = require('node:stream/consumers');
    const { Parser } = require('@asyncapi/parser');
    const parser = new Parser();
    // By message and property of its payload: its type, with that of its items.
    const typesOf = (schema) => schema.type() + (schema.items() ? ' of ' + typesOf(schema.items()) : '');
    const propertiesOf = (document) =>
      Object.fromEntries(document.allMessages().all().filter((message) => message.hasPayload()).map((message) => [
        message.name(),
        Object.fromEntries(Object.entries(message.payload().properties() ?? {}).map(([name, schema]) => [name, typesOf(schema)])),
      ]));
    const read = async (source) => {
      const { document, diagnostics } = await parser.parse(source);
      const errors = diagnostics.filter(({ severity }) => severity === 0).map(({ message }) => message);
      return { isRead: document !== undefined, errors, ...(document && { properties: propertiesOf(document) }) };
    };
    text(process.stdin)
      .then((input) => Promise.all(JSON.parse(input).map(read)))
      .then((results) => console.log(JSON.stringify(results)));
  `;
  const { stdout, stderr } = spawnSync(process.execPath, ['-e', script], {
    cwd: import.meta.dirname,
    input: JSON.stringify(documents),
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  return JSON.parse(stdout);
}

it('sagabox contracts writes documents that the parser of AsyncAPI accepts', async () => {
  await inModules({ contracts: oddContracts }, async (paths) => {
    const ofSample = await runCommandLine('contracts', ...sample, '--asyncapi');
    const ofContracts = await runCommandLine('contracts', `${paths.contracts}`, '--asyncapi', '--json');
    const documents = [ofSample, ofContracts].map(({ out }) => out.join('\n'));
    const broken = '{"asyncapi":"3.0.0"}';
    expect(readByParser([...documents, broken])).toEqual([
      expect.objectContaining({ isRead: true, errors: [] }),
      expect.objectContaining({ isRead: true, errors: [] }),
      { isRead: false, errors: expect.arrayContaining([expect.stringContaining('info')]) },
    ]);
  });
});

it('sagabox contracts writes references that the parser of AsyncAPI follows', async () => {
  await inModules({ contracts: reusingContracts }, async ({ contracts }) => {
    const { out } = await runCommandLine('contracts', `${contracts}`, '--asyncapi', '--json');
    expect(readByParser([out.join('')])).toEqual([
      {
        isRead: true,
        errors: [],
        properties: {
          Named: { first: 'object', second: 'object' },
          Nested: { lines: 'array of object', first: 'object', tree: 'object' },
          Tree: { name: 'string', children: 'array of object' },
          ValibotTree: { name: 'string', children: 'array of object' },
        },
      },
    ]);
  });
});
