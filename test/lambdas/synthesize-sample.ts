import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const repository = join(import.meta.dirname, '..', '..');
const STACK = 'OrderFulfilment';

export interface Resource {
  readonly Type: string;
  readonly Properties: Record<string, unknown>;
}

export interface Sample {
  readonly resources: Record<string, Resource>;
  readonly outputNames: readonly string[];
  /** The folder of each function's code within the output folder, by the id of its endpoint. */
  readonly assetOfFunction: Map<string, string>;
}

interface SynthesisSettings {
  readonly outputFolder: string;
  readonly workingDirectory?: string;
  /** Bundling takes seconds; without it the functions have no code of their own. */
  readonly bundle: boolean;
  readonly context?: Record<string, unknown>;
}

/** Runs the sample app as the `app` of cdk.json does. */
export function synthesizeSample(settings: SynthesisSettings): Sample {
  const context = { ...settings.context, ...(settings.bundle ? {} : { 'aws:cdk:bundling-stacks': [] }) };
  execFileSync(process.execPath, ['--conditions=sagabox-source', join(repository, 'bin', 'app.ts')], {
    cwd: settings.workingDirectory ?? repository,
    env: { ...process.env, CDK_OUTDIR: settings.outputFolder, CDK_CONTEXT_JSON: JSON.stringify(context) },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const read = (file: string) => JSON.parse(readFileSync(join(settings.outputFolder, file), 'utf8'));
  const { Resources: resources, Outputs: outputs } = read(`${STACK}.template.json`);
  const { files } = read(`${STACK}.assets.json`);
  return {
    resources,
    outputNames: Object.keys(outputs),
    assetOfFunction: assetsOfFunctions(resources, files),
  };
}

type AssetFiles = Record<string, { source: { path: string } }>;

function assetsOfFunctions(resources: Record<string, Resource>, files: AssetFiles): Map<string, string> {
  const assets = new Map<string, string>();
  for (const [id, { Type, Properties }] of Object.entries(resources)) {
    if (Type !== 'AWS::Lambda::Function') continue;
    const { S3Key } = Properties.Code as { S3Key: string };
    const path = files[S3Key.replace(/\.zip$/, '')]?.source.path;
    if (path !== undefined) assets.set(id.replace(/Function[0-9A-F]{8}$/, ''), path);
  }
  return assets;
}
