import { createRequire } from 'node:module';
import { dirname, resolve } from 'node:path';
import type { BundlingOptions } from 'aws-cdk-lib/aws-lambda-nodejs';
import type { Refusal } from '../../kernel/checks/problems.ts';
import { defined } from '../../kernel/defined.ts';

interface ESBuild {
  buildSync(options: object): unknown;
}

interface ESBuildMessage {
  readonly text: string;
  readonly location: { readonly file: string; readonly line: number; readonly column: number } | null;
}

/** What kept CDK from making a bundled function, in place of its error, which would hide all other problems. */
export function bundlingProblem(
  error: unknown,
  entry: string,
  bundling: BundlingOptions,
): Refusal & { readonly setting: string } {
  const { name, message } = error as Error;
  if (isOfMissingESBuild(error as Error, entry, bundling)) {
    return {
      setting: 'entry',
      problem: `'${resolve(entry)}' cannot be bundled: esbuild is not among the packages of its project`,
      remedy: 'Install esbuild in the project',
    };
  }
  if (!/bundle/i.test(name)) {
    const problem = `CDK cannot make the function: ${withoutStop(message)}`;
    return { setting: 'functionProps, bundling', problem, remedy: 'Change the setting that it names' };
  }
  const found = messagesOf(entry, bundling) ?? 'esbuild tells why above';
  return {
    setting: 'entry',
    problem: `'${resolve(entry)}' cannot be bundled: ${withoutStop(found)}`,
    remedy: 'Mend the file, install what it imports, or name that in bundling.externalModules',
  };
}

/** Without it CDK turns to Docker, or looks for it in vain from the project of the entry. */
function isOfMissingESBuild(
  { name, message }: Error,
  entry: string,
  { forceDockerBundling = false }: BundlingOptions,
): boolean {
  if (forceDockerBundling || !/bundle|docker/i.test(`${name} ${message}`)) return false;
  try {
    createRequire(resolve(entry)).resolve('esbuild');
    return false;
  } catch {
    // What is thrown says no more than that.
    return true;
  }
}

/**
 * CDK lets esbuild write to the terminal, and keeps nothing of it: it is asked again, only when it has failed.
 *
 * @returns `undefined` if esbuild cannot be asked, or with settings that are known to its command line alone
 */
function messagesOf(entry: string, bundling: BundlingOptions): string | undefined {
  const { esbuildArgs, commandHooks, preCompilation, externalModules = [], nodeModules = [] } = bundling;
  if (esbuildArgs ?? commandHooks ?? preCompilation) return undefined;
  const { format, target, loader, define, tsconfig, mainFields, inject } = bundling;
  const options = { format, target, loader, define, tsconfig, mainFields, inject };
  try {
    const esbuild = createRequire(resolve(entry))('esbuild') as ESBuild;
    esbuild.buildSync({
      ...defined(options),
      entryPoints: [resolve(entry)],
      absWorkingDir: dirname(resolve(entry)),
      external: [...externalModules, ...nodeModules],
      bundle: true,
      platform: 'node',
      write: false,
      logLevel: 'silent',
    });
    return undefined;
  } catch (error) {
    const { errors } = error as { readonly errors?: readonly ESBuildMessage[] };
    return errors?.map(({ text, location }) => `${placeOf(location)}${text}`).join('; ');
  }
}

function placeOf(location: ESBuildMessage['location']): string {
  return location === null ? '' : `${location.file}:${location.line}:${location.column}: `;
}

function withoutStop(text: string): string {
  return text.trim().replace(/\.$/, '');
}
