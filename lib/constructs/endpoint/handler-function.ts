import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Duration, RemovalPolicy } from 'aws-cdk-lib';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import {
  type Architecture,
  Code,
  Function as LambdaFunction,
  LoggingFormat,
  type RecursiveLoop,
  Runtime,
} from 'aws-cdk-lib/aws-lambda';
import { type BundlingOptions, LogLevel, NodejsFunction, OutputFormat } from 'aws-cdk-lib/aws-lambda-nodejs';
import type { RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import type { Refusal } from '../../kernel/checks/problems.ts';
import { defined } from '../../kernel/defined.ts';
import { describeProp } from '../checks/describe-prop.ts';
import { Violations } from '../violations.ts';
import { bundlingProblem } from './bundling-failure.ts';
import { nearestLockFile, projectProblem } from './entry-project.ts';
import { mayExportHandler } from './exported-handler.ts';
import { functionAccess } from './function-access.ts';
import type { FunctionProps } from './function-props.ts';

const defaultBundling: BundlingOptions = {
  minify: true,
  // `error.name` decides: in policies, in failure headers and in `redrive --code`.
  keepNames: true,
  sourceMap: true,
  // Stack traces need names and lines only.
  sourcesContent: false,
  // The Lambda runtime brings the AWS SDK along.
  externalModules: ['@aws-sdk/*', '@smithy/*'],
  logLevel: LogLevel.WARNING,
};

/** CommonJS packages in the bundle call `require` for Node's own modules; an ES module has none. */
const requireOfNode = "const require = (await import('node:module')).createRequire(import.meta.url);";

export interface HandlerFunctionSettings {
  readonly entry: string | undefined;
  readonly timeout: Duration;
  readonly memorySizeMb: number;
  readonly architecture: Architecture;
  readonly bundling: BundlingOptions;
  readonly recursiveLoop?: RecursiveLoop;
  readonly functionProps?: FunctionProps | undefined;
  /** @default RetentionDays.ONE_MONTH */
  readonly logRetention?: RetentionDays | undefined;
  /** Of the log group. @default RemovalPolicy.RETAIN */
  readonly removalPolicy?: RemovalPolicy | undefined;
  /** Of the log group. @default - a key of CloudWatch Logs */
  readonly encryptionKey?: IKey | undefined;
}

/**
 * A function whose TypeScript entry esbuild bundles on this machine, with no Docker. An entry that cannot be
 * bundled is reported at synth.
 */
export function handlerFunction(
  scope: Construct,
  id: string,
  settings: HandlerFunctionSettings,
): LambdaFunction {
  const { entry, recursiveLoop, functionProps = {} } = settings;
  const found = entryProblem(entry);
  if (entry === undefined || found !== undefined) {
    new Violations(scope).add('entry', found?.problem ?? '', found?.remedy ?? '');
    return placeholderFunction(scope, id);
  }
  const outside = projectProblem(entry, functionProps);
  if (outside !== undefined) {
    new Violations(scope).add(outside.setting, outside.problem, outside.remedy);
    return placeholderFunction(scope, id);
  }
  const bundling = bundlingOf(settings.bundling);
  const access = functionAccess(scope, id, settings);
  try {
    return new NodejsFunction(scope, id, {
      runtime: Runtime.NODEJS_24_X,
      loggingFormat: LoggingFormat.JSON,
      ...access,
      ...functionProps,
      entry,
      handler: 'handler',
      architecture: settings.architecture,
      timeout: settings.timeout,
      memorySize: settings.memorySizeMb,
      bundling,
      ...(bundling.sourceMap ? { environment: { NODE_OPTIONS: '--enable-source-maps' } } : {}),
      ...defined({
        recursiveLoop,
        depsLockFilePath: functionProps.depsLockFilePath ?? nearestLockFile(entry),
      }),
    });
  } catch (error) {
    const { setting, problem, remedy } = bundlingProblem(error, entry, bundling);
    new Violations(scope).add(setting, problem, remedy);
    // What CDK had made of it.
    scope.node.tryRemoveChild(id);
    return placeholderFunction(scope, id);
  }
}

/** Stands in for a function that cannot be made, until the synth reports why. */
export function placeholderFunction(scope: Construct, id: string): LambdaFunction {
  const code = Code.fromInline('export const handler = () => {};');
  return new LambdaFunction(scope, id, { runtime: Runtime.NODEJS_24_X, handler: 'index.handler', code });
}

function entryProblem(entry: unknown): Refusal | undefined {
  if (typeof entry !== 'string') {
    const problem = entry === undefined ? 'it is missing' : `${describeProp(entry)} is no path of a file`;
    return { problem, remedy: "Give the file that exports 'handler', or a function" };
  }
  if (!/\.[cm]?[jt]sx?$/.test(entry)) {
    return {
      problem: `'${entry}' is neither TypeScript nor JavaScript`,
      remedy: 'Give a file whose name ends in .ts, .mts, .cts, .tsx, .js, .mjs, .cjs or .jsx',
    };
  }
  if (!existsSync(entry)) {
    return {
      problem: `there is no file '${resolve(entry)}'`,
      remedy: 'Give its path from the directory that synth runs in, or an absolute one',
    };
  }
  if (!mayExportHandler(entry)) {
    return {
      problem: `'${resolve(entry)}' exports no 'handler', which Lambda calls`,
      remedy: "Export it by that name, as in 'export const handler = …'",
    };
  }
  return undefined;
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
