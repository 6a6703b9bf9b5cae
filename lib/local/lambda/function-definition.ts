import { SagaboxError } from '../../core/failures/errors.ts';
import type { LocalResource } from '../app/resources/model.ts';

/** A function that the template declares, with the folder of its bundled code. */
export interface FunctionDefinition {
  readonly name: string;
  readonly logicalId: string;
  readonly assetDirectory: string;
  /** For example `index.handler`. */
  readonly handler: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly memoryMegabytes: number;
}

interface FunctionProperties {
  readonly Handler?: string;
  readonly Runtime?: string;
  readonly Code?: { readonly S3Key?: string };
  readonly Environment?: { readonly Variables?: Readonly<Record<string, unknown>> };
  readonly Timeout?: number;
  readonly MemorySize?: number;
}

/** What CloudFormation takes for a function that does not say. */
const defaults = { timeoutSeconds: 3, memoryMegabytes: 128 } as const;

export function isFunction({ type }: LocalResource): boolean {
  return type === 'AWS::Lambda::Function';
}

/** Whether this runtime can run it: bundled Node.js code, no inline custom resource in Python. */
export function isRunnable({ properties, stack }: LocalResource): boolean {
  const { Runtime: runtime, Code: code } = properties as FunctionProperties;
  return (runtime?.startsWith('nodejs') ?? false) && assetDirectoryOf(code?.S3Key, stack) !== undefined;
}

/** @throws SagaboxError `Configuration` when the code of the function is not in the cloud assembly. */
export function functionDefinition(resource: LocalResource): FunctionDefinition {
  const properties = resource.properties as FunctionProperties;
  const assetDirectory = assetDirectoryOf(properties.Code?.S3Key, resource.stack);
  if (assetDirectory === undefined || properties.Handler === undefined) {
    throw new SagaboxError('Configuration', {
      setting: resource.logicalId,
      problem: 'the function has no bundled code in the cloud assembly',
      remedy: 'Declare it with NodejsFunction, or with Code.fromAsset',
    });
  }
  return {
    name: resource.name,
    logicalId: resource.logicalId,
    assetDirectory,
    handler: properties.Handler,
    environment: Object.fromEntries(
      Object.entries(properties.Environment?.Variables ?? {}).map(([name, value]) => [name, String(value)]),
    ),
    timeoutMs: (properties.Timeout ?? defaults.timeoutSeconds) * 1_000,
    memoryMegabytes: properties.MemorySize ?? defaults.memoryMegabytes,
  };
}

function assetDirectoryOf(s3Key: string | undefined, stack: LocalResource['stack']): string | undefined {
  return s3Key === undefined
    ? undefined
    : stack.assetPaths.get(s3Key.replace(/^.*\//, '').replace(/\.[^.]+$/, ''));
}
