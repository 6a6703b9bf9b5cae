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
import { type BundlingOptions, OutputFormat } from 'aws-cdk-lib/aws-lambda-nodejs';
import { MessageEndpoint } from 'sagabox/constructs';

const REQUIRE_OF_MINE =
  "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url); console.log('first');";
const repository = join(import.meta.dirname, '..', '..', '..');

describe('a bundled function', () => {
  let project: string;

  beforeEach(() => {
    project = mkdtempSync(join(tmpdir(), 'sagabox-project-'));
    mkdirSync(join(project, 'src'));
  });

  afterEach(() => rmSync(project, { recursive: true, force: true }));

  /** The files of the bundle of an entry that uses a CommonJS package, which uses a module of Node. */
  function bundled(
    bundling: BundlingOptions,
    code = "import legacy from './legacy.cjs'; console.log(legacy, COLOUR); export const handler = async () => {};",
  ): string {
    symlinkSync(join(repository, 'node_modules'), join(project, 'node_modules'));
    writeFileSync(join(project, 'package-lock.json'), '{}');
    writeFileSync(join(project, 'src', 'legacy.cjs'), "module.exports = require('path').basename('a/b');");
    const entry = join(project, 'src', 'handler.mjs');
    writeFileSync(entry, code);
    const outdir = join(project, 'cdk.out');
    const stack = new Stack(new App({ outdir }), 'Test');
    new MessageEndpoint(stack, 'Orders', {
      entry,
      bundling: { minify: false, define: { COLOUR: '"red"' }, ...bundling },
    });
    (stack.node.root as App).synth();
    return join(outdir, readdirSync(outdir).find((name) => name.startsWith('asset.')) ?? 'missing');
  }

  it('is minified, and its errors have the names that policies and redrive --code know', () => {
    const code = `class PaymentDeclined extends Error {
      constructor(longNameOfAParameter) { super(longNameOfAParameter); this.name = new.target.name; }
    }
    const refuse = () => { throw new PaymentDeclined('no'); };
    try { refuse(); } catch (error) { console.log(error.name, error.constructor.name); }
    export const handler = async () => {};`;
    const bundle = join(bundled({ minify: true }, code), 'index.mjs');
    expect(readFileSync(bundle, 'utf8')).not.toContain('longNameOfAParameter');
    expect(outputOf(bundle)).toBe('PaymentDeclined PaymentDeclined\n');
  });

  const outputOf = (file: string) => execFileSync(process.execPath, [file], { encoding: 'utf8' });

  it("belongs to the project of its entry, wherever synth runs, and may use CommonJS packages and Node's modules", () => {
    const directory = bundled({});
    const bundle = join(directory, 'index.mjs');
    expect(outputOf(bundle)).toBe('b red\n');
    expect(readFileSync(bundle, 'utf8')).toContain('// src/legacy.cjs');
    expect(readdirSync(directory).sort()).toEqual(['index.mjs', 'index.mjs.map']);
  });

  it('may be CommonJS', () => {
    const directory = bundled({ format: OutputFormat.CJS });
    expect(outputOf(join(directory, 'index.js'))).toBe('b red\n');
    expect(readdirSync(directory).sort()).toEqual(['index.js', 'index.js.map']);
  });

  it.each([
    ['beside that of its own', "console.log('first'); // of mine"],
    ['which may declare require', REQUIRE_OF_MINE],
  ])('may have a banner, %s', (_, banner) => {
    expect(outputOf(join(bundled({ banner }), 'index.mjs'))).toBe('first\nb red\n');
  });
});
