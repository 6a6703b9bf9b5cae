import type { LocalResource } from '../app/resources/model.ts';
import { inlinedSettings } from './inlined-settings.ts';

/** A function that the template declares, with the folder of its bundled code. */
export interface FunctionDefinition {
  readonly name: string;
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

/** @throws SagaboxError `Configuration` when a function refers to settings that the app does not declare */
export function functionDefinitions(resources: readonly LocalResource[]): FunctionDefinition[] {
  return resources.flatMap((resource) => {
    const definition = functionDefinition(resource);
    if (definition === undefined) return [];
    return [{ ...definition, environment: inlinedSettings(definition.environment, resources) }];
  });
}

/** @returns undefined unless it is bundled Node.js code: an inline custom resource in Python is not run */
export function functionDefinition({
  type,
  name,
  properties,
  stack,
}: LocalResource): FunctionDefinition | undefined {
  const {
    Handler: handler,
    Runtime: runtime,
    Code: code,
    Environment: environment,
    Timeout: timeoutSeconds = defaults.timeoutSeconds,
    MemorySize: memoryMegabytes = defaults.memoryMegabytes,
  } = properties as FunctionProperties;
  const assetKey = code?.S3Key?.replace(/^.*\//, '').replace(/\.[^.]+$/, '');
  const assetDirectory = stack.assetPaths.get(assetKey ?? '');
  const isBundled = type === 'AWS::Lambda::Function' && runtime?.startsWith('nodejs');
  if (!isBundled || handler === undefined || assetDirectory === undefined) return undefined;
  return {
    name,
    assetDirectory,
    handler,
    environment: Object.fromEntries(
      Object.entries(environment?.Variables ?? {}).map(([variable, value]) => [variable, String(value)]),
    ),
    timeoutMs: timeoutSeconds * 1_000,
    memoryMegabytes,
  };
}
