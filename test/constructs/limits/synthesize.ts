/**
 * Synthesizes 30 endpoints as an app does, with the CDK's validation, for the figures in
 * docs/guide/deploying.md: `time node --conditions=sagabox-source test/constructs/limits/synthesize.ts bundled`,
 * or `given`.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App, Stack } from 'aws-cdk-lib';
import { Code, Function as LambdaFunction, RecursiveLoop, Runtime } from 'aws-cdk-lib/aws-lambda';
import { addEndpoints } from './thirty-endpoints.ts';

const entry = join(import.meta.dirname, '..', '..', '..', 'lambdas', 'orders.ts');
const esbuildArgs = { '--conditions': 'sagabox-source' };
/** Each with another definition, as the CDK would bundle equal ones once. */
const bundlingOf = (index: number) => ({ esbuildArgs, define: { ENDPOINT: String(index) } });
const outdir = mkdtempSync(join(tmpdir(), 'sagabox-synthesize-'));
const app = new App({ outdir });
const stack = new Stack(app, 'Thirty');

function givenFunction(index: number): LambdaFunction {
  const code = Code.fromInline('export const handler = async () => {};');
  const runtime = { runtime: Runtime.NODEJS_24_X, handler: 'index.handler', code };
  return new LambdaFunction(stack, `Function${index}`, { ...runtime, recursiveLoop: RecursiveLoop.ALLOW });
}

const isBundled = process.argv[2] === 'bundled';
try {
  addEndpoints(stack, 30, (index) =>
    isBundled ? { entry, bundling: bundlingOf(index) } : { function: givenFunction(index) },
  );
  app.synth();
} finally {
  rmSync(outdir, { recursive: true });
}
