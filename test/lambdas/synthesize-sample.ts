import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { CloudAssembly } from 'aws-cdk-lib/cx-api';
import { sampleApp } from '../../bin/sample/sample-app.ts';
import { type AssemblyStack, readCloudAssembly } from '../../lib/local/app/cloud-assembly.ts';

const repository = join(import.meta.dirname, '..', '..');

export interface Resource {
  readonly Type: string;
  readonly Properties: Record<string, unknown>;
}

export interface Sample {
  readonly resources: Record<string, Resource>;
  readonly stackNames: readonly string[];
  readonly outputNames: readonly string[];
  /** What the constructs found at synth: warnings and errors, of all stacks. */
  readonly messages: readonly string[];
  /** The folder of each function's code, by the id of its endpoint. */
  readonly assetOfFunction: Map<string, string>;
}

/** The sample app whose functions have no code of their own: bundling it takes seconds. */
export async function synthesizeSample(
  outputFolder: string,
  context: Record<string, unknown> = {},
): Promise<Sample> {
  const unbundled = { ...context, 'aws:cdk:bundling-stacks': [] };
  sampleApp({ outdir: outputFolder, context: unbundled }).synth();
  return await readSample(outputFolder);
}

/** Runs the sample app as the `app` of cdk.json does, and bundles its functions. */
export async function bundleSample(outputFolder: string, workingDirectory: string): Promise<Sample> {
  execFileSync(process.execPath, ['--conditions=sagabox-source', join(repository, 'bin', 'app.ts')], {
    cwd: workingDirectory,
    env: { ...process.env, CDK_OUTDIR: outputFolder, CDK_CONTEXT_JSON: '{}' },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  return await readSample(outputFolder);
}

async function readSample(outputFolder: string): Promise<Sample> {
  const stacks = await readCloudAssembly(outputFolder);
  const stack = stacks.find(({ name }) => name === 'OrderFulfilment');
  if (stack === undefined) throw new Error('The sample has no stack of its endpoints');
  const resources = stack.template.Resources as Sample['resources'];
  return {
    resources: Object.assign({}, ...stacks.map(({ template }) => template.Resources)),
    stackNames: stacks.map(({ name }) => name),
    messages: new CloudAssembly(outputFolder).stacks.flatMap(({ messages }) =>
      messages.map(({ id, entry }) => `${id}: ${entry.data}`),
    ),
    outputNames: Object.keys(stack.template.Outputs ?? {}),
    assetOfFunction: assetsOfFunctions(resources, stack),
  };
}

function assetsOfFunctions(
  resources: Record<string, Resource>,
  { assetPaths }: AssemblyStack,
): Map<string, string> {
  const assets = new Map<string, string>();
  for (const [id, { Type, Properties }] of Object.entries(resources)) {
    if (Type !== 'AWS::Lambda::Function') continue;
    const { S3Key } = Properties.Code as { S3Key: string };
    const path = assetPaths.get(S3Key.replace(/\.zip$/, ''));
    if (path !== undefined) assets.set(id.replace(/Function[0-9A-F]{8}$/, ''), path);
  }
  return assets;
}
