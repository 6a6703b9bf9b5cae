import { describe, expect, it } from '@jest/globals';
import { App, Stack } from 'aws-cdk-lib';
import { MessageEndpoint, OutboxRelay, OutboxTable } from 'sagabox/constructs';
import { inlineEndpoint, violationsOf } from '../support.ts';
import { entryFiles } from './entry-files.ts';

const { project, entryOf } = entryFiles();

describe('an entry that esbuild cannot bundle', () => {
  function bundled(make: (stack: Stack) => void): string {
    const stack = new Stack(new App({ outdir: project('cdk.out') }), 'Test');
    make(stack);
    return violationsOf(stack);
  }

  it.each([
    [
      "import { x } from 'missing-package'; export const handler = () => x;",
      'Could not resolve "missing-package"',
    ],
    ['export const handler = ( => 1;', 'Unexpected "=>"'],
  ])('is reported with what it says, and all other problems: %s', (source, problem) => {
    const entry = entryOf(source);
    const found = bundled((stack) => {
      new MessageEndpoint(stack, 'Orders', { entry, batchSize: 0, aliasName: 'live' });
      inlineEndpoint(stack, 'Billing', { batchSize: 0 });
    });
    const file = entry.split('/').at(-1);
    expect(found).toMatch(
      new RegExp(
        `\\[Test/Orders\\] entry: '${entry}' cannot be bundled: ${file}:1:\\d+: ${problem}\\. Mend the file, install`,
      ),
    );
    expect(found.match(/batchSize: 0 is out of range/g)).toHaveLength(2);
  });

  it('is reported for a relay, and without the words of esbuild when its command line is of your own', () => {
    const entry = entryOf('export const handler = ( => 1;');
    const found = bundled((stack) => {
      const outboxTable = new OutboxTable(stack, 'Outbox');
      const endpoints = [inlineEndpoint(stack, 'Billing', { outboxTable })];
      new OutboxRelay(stack, 'Relay', {
        endpoints,
        entry,
        bundling: { esbuildArgs: { '--keep-names': true } },
      });
    });
    expect(found).toContain(
      `[Test/Relay] entry: '${entry}' cannot be bundled: esbuild tells why above. Mend`,
    );
  });
});
