import type { Duration } from 'aws-cdk-lib';
import { type Architecture, type RecursiveLoop, Runtime } from 'aws-cdk-lib/aws-lambda';
import { type BundlingOptions, NodejsFunction } from 'aws-cdk-lib/aws-lambda-nodejs';
import type { Construct } from 'constructs';
import { bundlingOf } from './bundling.ts';
import { nearestLockFile } from './lock-file.ts';

interface HandlerFunctionSettings {
  readonly entry: string;
  readonly timeout: Duration;
  readonly memorySizeMb: number;
  readonly architecture: Architecture;
  readonly bundling: BundlingOptions;
  /** What Lambda does when it takes a chain of messages for an endless loop; left to Lambda unless given. */
  readonly recursiveLoop?: RecursiveLoop;
}

/** A function whose TypeScript entry esbuild bundles on this machine, with no Docker. */
export function handlerFunction(
  scope: Construct,
  id: string,
  settings: HandlerFunctionSettings,
): NodejsFunction {
  const { entry, recursiveLoop } = settings;
  const depsLockFilePath = nearestLockFile(entry);
  return new NodejsFunction(scope, id, {
    entry,
    handler: 'handler',
    runtime: Runtime.NODEJS_24_X,
    architecture: settings.architecture,
    timeout: settings.timeout,
    memorySize: settings.memorySizeMb,
    bundling: bundlingOf(settings.bundling),
    ...(recursiveLoop === undefined ? {} : { recursiveLoop }),
    ...(depsLockFilePath === undefined ? {} : { depsLockFilePath }),
  });
}
