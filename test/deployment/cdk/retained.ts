import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

const ending = '.template.json';

interface RetainingTemplate {
  readonly Resources: Readonly<Record<string, { readonly DeletionPolicy?: string }>>;
}

/** The resources that stay when their stack is destroyed, as `<stack>/<logical id>`. */
export async function retainedResources(assembly: string): Promise<string[]> {
  const files = (await readdir(assembly)).filter((file) => file.endsWith(ending));
  const all = await Promise.all(
    files.map(async (file) => {
      const { Resources } = JSON.parse(await readFile(join(assembly, file), 'utf8')) as RetainingTemplate;
      return Object.entries(Resources)
        .filter(([, { DeletionPolicy }]) => DeletionPolicy?.startsWith('Retain'))
        .map(([logicalId]) => `${file.slice(0, -ending.length)}/${logicalId}`);
    }),
  );
  return all.flat();
}

export interface Remains {
  /** There by intention: retained, or the log group of a function, which CloudFormation does not know of. */
  readonly retained: readonly string[];
  readonly leftBehind: readonly string[];
}

/** Divides what is there now and was not before. */
export function divideRemains(
  before: ReadonlySet<string>,
  after: ReadonlySet<string>,
  retainedNames: readonly string[],
): Remains {
  const lastParts = new Set(retainedNames.map((name) => name.split('/').at(-1) ?? name));
  const added = [...after].filter((resource) => !before.has(resource));
  const isRetained = (resource: string) =>
    resource.startsWith('logs ') || lastParts.has(resource.split(' ').at(-1) ?? '');
  return {
    retained: added.filter(isRetained),
    leftBehind: added.filter((resource) => !isRetained(resource)),
  };
}
