import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { MessageEndpoint } from 'sagabox/constructs';
import { bundlingProblem } from '../../../lib/constructs/endpoint/bundling-failure.ts';
import { inlineEndpoint, unbundledStack, violationsOf } from '../support.ts';
import { entryFiles } from './entry-files.ts';

const { project, entryOf } = entryFiles();

/** An endpoint whose batches are wrong too. */
function violationsOfEntry(entry: string): string {
  const stack = unbundledStack();
  new MessageEndpoint(stack, 'Orders', { entry, batchSize: 0 });
  return violationsOf(stack);
}

describe("an entry that exports 'handler'", () => {
  it.each([
    ['export const handler = () => {};'],
    ['export async function handler() {}'],
    ['const run = () => {};\nexport {\n  run as handler,\n};'],
    ['export const { handler } = { handler() {} };'],
    ["export * from './other.ts';"],
    ["const url = 'https://example.com'; export const handler = () => url;"],
    ["const glob = 'lambdas/*'; export const handler = () => glob; /* as before */"],
    ['const [x, handler] = [];\nexport {\n  x, // keep; used\n  handler };'],
    ['export const run = () => { a; }, handler = run;'],
    ['const css = `\n/* all`;\nexport const handler = () => css; /* as before */'],
    ['const css = `\n// all`; export const handler = () => css;'],
    ['exports.handler = () => {};', 'cjs'],
    ["module.exports = require('./other.cjs');", 'cjs'],
  ])('is taken: %s', (source, ending = 'ts') => {
    expect(violationsOfEntry(entryOf(source, ending))).not.toContain('entry:');
  });

  it.each([
    ['export const main = () => {};'],
    ['export default () => {};'],
    ['const handler = () => {};'],
    ['// export const handler = () => {};\nexport const main = 1;'],
    ['/*\nexport const handler = 1;\n*/\nexport const main = 1;'],
    [''],
  ])('is any but: %s', (source) => {
    const entry = entryOf(source);
    const found = violationsOfEntry(entry);
    expect(found).toContain(
      `[Test/Orders] entry: '${entry}' exports no 'handler', which Lambda calls. Export it by that name`,
    );
    expect(found).toContain('batchSize: 0 is out of range');
  });
});

it('a setting of the function that CDK refuses is reported with its words', () => {
  const stack = unbundledStack();
  new MessageEndpoint(stack, 'Orders', {
    entry: entryOf('export const handler = () => {};'),
    functionProps: { deadLetterQueueEnabled: false, deadLetterQueue: inlineEndpoint(stack, 'B').queue },
    batchSize: 0,
  });
  const found = violationsOf(stack);
  expect(found).toContain(
    '[Test/Orders] functionProps, bundling: CDK cannot make the function: deadLetterQueue defined',
  );
  expect(found).toContain('batchSize: 0 is out of range');
});

describe('esbuild that is not installed', () => {
  const alone = mkdtempSync(join(tmpdir(), 'sagabox-without-esbuild-'));
  const far = join(alone, 'orders.ts');
  afterAll(() => rmSync(alone, { recursive: true, force: true }));
  const failure = (name: string, message: string) => Object.assign(new Error(message), { name });

  it.each([
    ['without Docker', failure('Error', 'spawnSync docker ENOENT')],
    ['without its daemon', failure('CommandExecutionFailed', 'docker exited with status 1')],
    ['beside the CDK only', failure('FailedBundleAsset', 'Failed to bundle asset Test/Orders')],
  ])('is told, %s', (_, error) => {
    expect(bundlingProblem(error, far, {})).toEqual({
      setting: 'entry',
      problem: `'${far}' cannot be bundled: esbuild is not among the packages of its project`,
      remedy: 'Install esbuild in the project',
    });
  });

  it('is not told of Docker that is asked for, or of a project that has it', () => {
    const ofDocker = failure('Error', 'spawnSync docker ENOENT');
    const found = [
      bundlingProblem(ofDocker, far, { forceDockerBundling: true }),
      bundlingProblem(ofDocker, project('src', 'orders.ts'), {}),
    ];
    expect(found.map(({ problem }) => problem)).toEqual(
      found.map(() => 'CDK cannot make the function: spawnSync docker ENOENT'),
    );
  });
});
