import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { App, Stack } from 'aws-cdk-lib';
import { OutboxRelay, OutboxTable } from 'sagabox/constructs';
import { repository } from '../../support/source-files.ts';
import { inlineEndpoint } from '../support.ts';

describe("the entries of a relay's own functions", () => {
  const folder = mkdtempSync(join(tmpdir(), 'sagabox-relay-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('are bundled from the package as they are told, with nothing of constructs, and have a handler', () => {
    const app = new App({ outdir: join(folder, 'cdk.out') });
    const stack = new Stack(app, 'Test');
    const outboxTable = new OutboxTable(stack, 'Outbox', { relayStream: true });
    const endpoints = [inlineEndpoint(stack, 'Orders', { outboxTable })];
    new OutboxRelay(stack, 'Relay', { endpoints, bundling: { footer: '// as told' } });
    const assembly = app.synth().directory;
    const bundles = readdirSync(assembly)
      .filter((name) => name.startsWith('asset.') && hasBundle(join(assembly, name)))
      .map((name) => join(assembly, name));
    expect(bundles).toHaveLength(2);
    for (const bundle of bundles) {
      const code = readFileSync(join(bundle, 'index.mjs'), 'utf8');
      expect(code).not.toContain('aws-cdk-lib');
      expect(code).toContain('// as told');
      symlinkSync(join(repository, 'node_modules'), join(bundle, 'node_modules'));
      const script = 'const { handler } = await import(process.argv[1]); console.log(typeof handler);';
      const output = execFileSync(
        process.execPath,
        ['--input-type=module', '-e', script, join(bundle, 'index.mjs')],
        { encoding: 'utf8', env: { PATH: process.env.PATH, AWS_REGION: 'eu-west-1' } },
      );
      expect(output).toBe('function\n');
    }
  });
});

function hasBundle(directory: string): boolean {
  return readdirSync(directory).includes('index.mjs');
}
