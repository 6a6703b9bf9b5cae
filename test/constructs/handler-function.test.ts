import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { App, Stack } from 'aws-cdk-lib';
import { MessageEndpoint } from 'sagabox/constructs';
import { nearestLockFile } from '../../lib/constructs/lock-file.ts';

const repository = join(import.meta.dirname, '..', '..');

describe('a bundled function', () => {
  let project: string;

  beforeEach(() => {
    project = mkdtempSync(join(tmpdir(), 'sagabox-project-'));
    mkdirSync(join(project, 'src'));
  });

  afterEach(() => rmSync(project, { recursive: true, force: true }));

  it("belongs to the project of its entry, wherever synth runs, and may use CommonJS packages and Node's modules", () => {
    writeFileSync(join(project, 'package-lock.json'), '{}');
    symlinkSync(join(repository, 'node_modules'), join(project, 'node_modules'));
    writeFileSync(join(project, 'src', 'legacy.cjs'), "module.exports = require('path').basename('a/b');");
    const entry = join(project, 'src', 'handler.mjs');
    writeFileSync(
      entry,
      "import legacy from './legacy.cjs'; console.log(legacy, COLOUR); export const handler = async () => {};",
    );

    const outdir = join(project, 'cdk.out');
    const stack = new Stack(new App({ outdir }), 'Test');
    new MessageEndpoint(stack, 'Orders', { entry, bundling: { minify: false, define: { COLOUR: '"red"' } } });
    (stack.node.root as App).synth();

    const asset = readdirSync(outdir).find((name) => name.startsWith('asset.')) ?? 'missing';
    const bundle = join(outdir, asset, 'index.mjs');
    expect(execFileSync(process.execPath, [bundle], { encoding: 'utf8' })).toBe('b red\n');
    expect(readFileSync(bundle, 'utf8')).toContain('// src/legacy.cjs');
    expect(readdirSync(join(outdir, asset)).sort()).toEqual(['index.mjs']);
  }, 30_000);

  it('takes the nearest lock file above its entry', () => {
    writeFileSync(join(project, 'yarn.lock'), '');
    expect(nearestLockFile(join(project, 'src', 'handler.ts'))).toBe(join(project, 'yarn.lock'));
    writeFileSync(join(project, 'src', 'package-lock.json'), '{}');
    expect(nearestLockFile(join(project, 'src', 'handler.ts'))).toBe(
      join(project, 'src', 'package-lock.json'),
    );
  });

  it('leaves it to CDK to tell that there is no lock file', () => {
    expect(nearestLockFile(join(project, 'src', 'handler.ts'))).toBeUndefined();
  });
});
