import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { CloudFormationStackArtifact } from 'aws-cdk-lib/cx-api';
import { loadOptionalPackage } from '../../kernel/calls/optional-package.ts';
import { SagaboxError } from '../../kernel/errors/errors.ts';
import { thrownMessage } from '../../kernel/errors/thrown.ts';

/** A resource as a CloudFormation template declares it. */
export interface TemplateResource {
  readonly Type: string;
  readonly Properties?: Readonly<Record<string, unknown>>;
  readonly Metadata?: Readonly<Record<string, unknown>>;
}

export interface Template {
  readonly Resources?: Readonly<Record<string, TemplateResource>>;
  readonly Parameters?: Readonly<Record<string, { readonly Default?: unknown }>>;
  readonly Mappings?: Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, unknown>>>>>>;
  readonly Outputs?: Readonly<
    Record<string, { readonly Value: unknown; readonly Export?: { Name: unknown } }>
  >;
}

/** A stack of a cloud assembly: its templates, and where the files are that it deploys. */
export interface AssemblyStack {
  readonly name: string;
  /** Left out if only the deployment knows it, as the region. */
  readonly account?: string;
  readonly region?: string;
  readonly template: Template;
  /** Those of its nested stacks, however deep. */
  readonly nestedTemplates: readonly Template[];
  /** Path of each file asset, by the key that the template names (without its extension). */
  readonly assetPaths: ReadonlyMap<string, string>;
}

/**
 * Reads the output of `cdk synth` with the CDK's own reader: the stacks of the app first, then those of its
 * stages.
 *
 * @throws SagaboxError `Configuration` when the folder holds no cloud assembly, and when `aws-cdk-lib` is not
 * installed
 */
export async function readCloudAssembly(directory: string): Promise<AssemblyStack[]> {
  const { AssetManifestArtifact, CloudAssembly, UNKNOWN_ACCOUNT, UNKNOWN_REGION } = await loadOptionalPackage(
    'aws-cdk-lib',
    'reading a cloud assembly',
    () => import('aws-cdk-lib/cx-api'),
  );
  const assetPathsOf = ({ assembly, dependencies }: CloudFormationStackArtifact): Map<string, string> => {
    const manifests = dependencies.filter((one) => AssetManifestArtifact.isAssetManifestArtifact(one));
    const files = manifests.flatMap(({ contents }) => Object.entries(contents.files ?? {}));
    return new Map(files.map(([key, { source }]) => [key, join(assembly.directory, source.path ?? '')]));
  };
  try {
    // What another version of the CDK wrote is read as far as it is understood.
    const assembly = new CloudAssembly(directory, { skipVersionCheck: true, skipEnumCheck: true });
    return assembly.stacksRecursively.map((stack) => {
      const { account, region } = stack.environment;
      const assetPaths = assetPathsOf(stack);
      const nested = [...assetPaths.values()].filter((path) => path.endsWith('.nested.template.json'));
      return {
        name: stack.stackName,
        ...(account !== UNKNOWN_ACCOUNT && { account }),
        ...(region !== UNKNOWN_REGION && { region }),
        template: readTemplate(stack.templateFullPath),
        nestedTemplates: nested.map(readTemplate),
        assetPaths,
      };
    });
  } catch (cause) {
    throw new SagaboxError(
      'Configuration',
      {
        setting: directory,
        problem: `it holds no cloud assembly that can be read: ${thrownMessage(cause)}`,
        remedy: "Give the output folder of 'cdk synth', by default cdk.out",
      },
      { cause },
    );
  }
}

function readTemplate(path: string): Template {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (cause) {
    throw new Error(`${basename(path)}: ${thrownMessage(cause)}`, { cause });
  }
}
