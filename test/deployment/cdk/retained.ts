import { readTemplates } from './templates.ts';

interface RetainingTemplate {
  readonly Resources: Readonly<Record<string, { readonly Type: string; readonly DeletionPolicy?: string }>>;
}

/** Parts of a role, a queue or a bucket, which no inventory lists by themselves. */
const partsOfOthers = ['AWS::IAM::Policy', 'AWS::SQS::QueuePolicy', 'AWS::S3::BucketPolicy'];

/** The resources that stay when their stack is destroyed, as `<stack>/<logical id>`. */
export async function retainedResources(assembly: string): Promise<string[]> {
  const templates = await readTemplates<RetainingTemplate>(assembly);
  return templates.flatMap(({ stack, template }) =>
    Object.entries(template.Resources)
      .filter(([, { Type }]) => !partsOfOthers.includes(Type))
      .filter(([, { DeletionPolicy }]) => DeletionPolicy?.startsWith('Retain'))
      .map(([logicalId]) => `${stack}/${logicalId}`),
  );
}

export interface Remains {
  /** There by intention: retained, or the log group of a function, which CloudFormation does not know of. */
  readonly retained: readonly string[];
  readonly leftBehind: readonly string[];
  /** Names of resources that the templates retain, and that are gone. */
  readonly retainedGone: readonly string[];
}

/** Divides what is there now and was not before, and finds what should be there and is not. */
export function divideRemains(
  before: ReadonlySet<string>,
  after: ReadonlySet<string>,
  retainedNames: readonly string[],
): Remains {
  const added = [...after].filter((resource) => !before.has(resource));
  const retainedLabels = new Set(retainedNames.map(labelOf));
  const addedLabels = new Set(added.map((resource) => resource.split(' ').at(-1) ?? ''));
  const isRetained = (resource: string) =>
    resource.startsWith('logs ') || retainedLabels.has(resource.split(' ').at(-1) ?? '');
  return {
    retained: added.filter(isRetained),
    leftBehind: added.filter((resource) => !isRetained(resource)),
    retainedGone: [...retainedLabels].filter((label) => !addedLabels.has(label)),
  };
}

/** Of an URL or an ARN, the name. */
function labelOf(name: string): string {
  return name.split('/').at(-1) ?? name;
}
