import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SagaboxError } from '../../core/failures/errors.ts';

/** A resource as a CloudFormation template declares it. */
export interface TemplateResource {
  readonly Type: string;
  readonly Properties?: Readonly<Record<string, unknown>>;
}

export interface Template {
  readonly Resources?: Readonly<Record<string, TemplateResource>>;
  readonly Parameters?: Readonly<Record<string, { readonly Default?: unknown }>>;
  readonly Mappings?: Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, unknown>>>>>>;
  readonly Outputs?: Readonly<
    Record<string, { readonly Value: unknown; readonly Export?: { Name: unknown } }>
  >;
}

/** A stack of a cloud assembly: its template, and where the files are that it deploys. */
export interface AssemblyStack {
  readonly name: string;
  readonly template: Template;
  /** Folder of each file asset, by the key that the template names (without its extension). */
  readonly assetDirectories: ReadonlyMap<string, string>;
}

interface Manifest {
  readonly artifacts?: Readonly<
    Record<
      string,
      {
        readonly type: string;
        readonly properties?: {
          readonly templateFile?: string;
          readonly file?: string;
          readonly stackName?: string;
          readonly directoryName?: string;
        };
      }
    >
  >;
}

interface AssetManifest {
  readonly files?: Readonly<Record<string, { readonly source?: { readonly path?: string } }>>;
}

/**
 * Reads the output of `cdk synth`: every stack of it, stages included.
 *
 * @throws SagaboxError `Configuration` when the folder holds no cloud assembly.
 */
export async function readCloudAssembly(directory: string): Promise<AssemblyStack[]> {
  const manifest = await readManifest(directory);
  const artifacts = Object.entries(manifest.artifacts ?? {});
  const assetDirectories = new Map<string, string>();
  for (const [, { type, properties }] of artifacts) {
    if (type !== 'cdk:asset-manifest' || properties?.file === undefined) continue;
    const assets = await readJson<AssetManifest>(join(directory, properties.file));
    for (const [key, { source }] of Object.entries(assets.files ?? {})) {
      if (source?.path !== undefined) assetDirectories.set(key, join(directory, source.path));
    }
  }
  const stacks: AssemblyStack[] = [];
  for (const [id, { type, properties }] of artifacts) {
    if (type === 'aws:cloudformation:stack' && properties?.templateFile !== undefined) {
      const template = await readJson<Template>(join(directory, properties.templateFile));
      stacks.push({ name: properties.stackName ?? id, template, assetDirectories });
    }
    if (type === 'cdk:cloud-assembly' && properties?.directoryName !== undefined) {
      stacks.push(...(await readCloudAssembly(join(directory, properties.directoryName))));
    }
  }
  return stacks;
}

async function readManifest(directory: string): Promise<Manifest> {
  try {
    return await readJson<Manifest>(join(directory, 'manifest.json'));
  } catch (cause) {
    throw new SagaboxError(
      'Configuration',
      {
        setting: 'assemblyDirectory',
        problem: `'${directory}' holds no readable cloud assembly (manifest.json)`,
        remedy: "Give the output folder of 'cdk synth', by default cdk.out",
      },
      { cause },
    );
  }
}

async function readJson<T>(path: string): Promise<T> {
  return JSON.parse(await readFile(path, 'utf8')) as T;
}
