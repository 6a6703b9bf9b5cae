import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Duration } from 'aws-cdk-lib';
import { type Architecture, type RecursiveLoop, Runtime } from 'aws-cdk-lib/aws-lambda';
import { type BundlingOptions, LogLevel, NodejsFunction, OutputFormat } from 'aws-cdk-lib/aws-lambda-nodejs';
import type { Construct } from 'constructs';
import { defined } from '../../core/defined.ts';

const defaultBundling: BundlingOptions = {
  minify: true,
  // The Lambda runtime brings the AWS SDK along.
  externalModules: ['@aws-sdk/*', '@smithy/*'],
  logLevel: LogLevel.WARNING,
};

/** CommonJS packages in the bundle call `require` for Node's own modules; an ES module has none. */
const requireOfNode = "const require = (await import('node:module')).createRequire(import.meta.url);";

const lockFileNames = ['pnpm-lock.yaml', 'yarn.lock', 'bun.lock', 'bun.lockb', 'package-lock.json'];

interface HandlerFunctionSettings {
  readonly entry: string;
  readonly timeout: Duration;
  readonly memorySizeMb: number;
  readonly architecture: Architecture;
  readonly bundling: BundlingOptions;
  readonly recursiveLoop?: RecursiveLoop;
}

/** A function whose TypeScript entry esbuild bundles on this machine, with no Docker. */
export function handlerFunction(
  scope: Construct,
  id: string,
  settings: HandlerFunctionSettings,
): NodejsFunction {
  const { entry, recursiveLoop } = settings;
  return new NodejsFunction(scope, id, {
    entry,
    handler: 'handler',
    runtime: Runtime.NODEJS_24_X,
    architecture: settings.architecture,
    timeout: settings.timeout,
    memorySize: settings.memorySizeMb,
    bundling: bundlingOf(settings.bundling),
    ...defined({ recursiveLoop, depsLockFilePath: nearestLockFile(entry) }),
  });
}

/** How a handler is bundled: as an ES module, unless `own` says otherwise. */
function bundlingOf(own: BundlingOptions): BundlingOptions {
  const { format = OutputFormat.ESM } = own;
  if (format !== OutputFormat.ESM) return { ...defaultBundling, ...own };
  return {
    ...defaultBundling,
    // Packages that ship both are bundled smaller as ES modules.
    mainFields: ['module', 'main'],
    ...own,
    format,
    banner: bannerOf(own.banner),
  };
}

function bannerOf(own: string | undefined): string {
  if (own === undefined) return requireOfNode;
  // Declared twice, the module could not be loaded.
  return /\brequire\s*=/.test(own) ? own : `${requireOfNode} ${own}`;
}

/**
 * The lock file of the project that the entry belongs to. CDK would look upwards from the working directory,
 * so that synth would depend on where it is called.
 */
export function nearestLockFile(entry: string): string | undefined {
  let directory = dirname(resolve(entry));
  for (;;) {
    const found = lockFileNames.map((name) => join(directory, name)).find((file) => existsSync(file));
    if (found !== undefined) return found;
    const parent = dirname(directory);
    if (parent === directory) return undefined;
    directory = parent;
  }
}
