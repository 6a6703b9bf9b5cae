import type { Duration } from 'aws-cdk-lib';
import { type Architecture, Runtime } from 'aws-cdk-lib/aws-lambda';
import { type BundlingOptions, LogLevel, NodejsFunction, OutputFormat } from 'aws-cdk-lib/aws-lambda-nodejs';
import type { Construct } from 'constructs';
import { nearestLockFile } from './lock-file.ts';

/** How an endpoint's handler is bundled, unless its `bundling` says otherwise. */
export const defaultBundling: BundlingOptions = {
  format: OutputFormat.ESM,
  minify: true,
  // The Lambda runtime brings the AWS SDK along.
  externalModules: ['@aws-sdk/*', '@smithy/*'],
  // Packages that ship both are bundled smaller as ES modules.
  mainFields: ['module', 'main'],
  logLevel: LogLevel.WARNING,
  // CommonJS packages in the bundle call `require` for Node's own modules; an ES module has none.
  banner: "const require = (await import('node:module')).createRequire(import.meta.url);",
};

interface HandlerFunctionSettings {
  readonly entry: string;
  readonly timeout: Duration;
  readonly memorySizeMb: number;
  readonly architecture: Architecture;
  readonly bundling: BundlingOptions;
}

/** A function whose TypeScript entry esbuild bundles on this machine, with no Docker. */
export function handlerFunction(
  scope: Construct,
  id: string,
  settings: HandlerFunctionSettings,
): NodejsFunction {
  const depsLockFilePath = nearestLockFile(settings.entry);
  return new NodejsFunction(scope, id, {
    entry: settings.entry,
    handler: 'handler',
    runtime: Runtime.NODEJS_24_X,
    architecture: settings.architecture,
    timeout: settings.timeout,
    memorySize: settings.memorySizeMb,
    bundling: { ...defaultBundling, ...settings.bundling },
    ...(depsLockFilePath === undefined ? {} : { depsLockFilePath }),
  });
}
