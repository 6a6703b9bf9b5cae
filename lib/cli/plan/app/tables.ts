import { SagaboxError } from '../../../core/failures/errors.ts';
import type { Template } from '../../../local/app/cloud-assembly.ts';
import { type DeployedCapacity, deployedCapacity } from './capacity.ts';

/** A table of a synthesized app whose template has its workload or its plan. */
export interface AppTable {
  /** Its path in the app, or its stack and logical id if the template has no path. */
  readonly name: string;
  /** As the template has them: not checked. */
  readonly workloads: readonly unknown[];
  /** As the template has it: not checked, and `undefined` when the template has none. */
  readonly plan: unknown;
  readonly deployed: DeployedCapacity;
}

/** Where the constructs leave what a table is made for, and what they made of it. */
const metadataKeys = { workload: 'sagabox:workload', plan: 'sagabox:plan' } as const;

const tableTypes: readonly string[] = ['AWS::DynamoDB::Table', 'AWS::DynamoDB::GlobalTable'];

/**
 * The tables with a workload or a plan, of all stacks and stages of a synthesized app.
 *
 * @throws SagaboxError `Configuration` when the folder cannot be read, or no table tells anything
 */
export async function readAppTables(folder: string): Promise<AppTable[]> {
  // No other plan has to wait until it is loaded.
  const { readCloudAssembly } = await import('../../../local/app/cloud-assembly.ts');
  const stacks = await readCloudAssembly(folder);
  const found = stacks.flatMap(({ name, template, nestedTemplates }) =>
    [template, ...nestedTemplates].flatMap((one) => tablesOfTemplate(one, name)),
  );
  if (found.length > 0) return found;
  throw new SagaboxError('Configuration', {
    setting: folder,
    problem: 'no table of its stacks has a workload',
    remedy: 'Give tables `capacity: TableCapacity.forWorkload(…)`, or `workload` to the other two capacities',
  });
}

function tablesOfTemplate({ Resources: resources = {} }: Template, stack: string): AppTable[] {
  return Object.entries(resources).flatMap(([logicalId, { Type, Metadata: metadata = {} }]) => {
    const isPlanned = Object.values(metadataKeys).some((key) => key in metadata);
    if (!tableTypes.includes(Type) || !isPlanned) return [];
    return [
      {
        name: nameOf(metadata['aws:cdk:path'], `${stack}/${logicalId}`),
        workloads: [metadata[metadataKeys.workload] ?? []].flat(),
        plan: metadata[metadataKeys.plan],
        deployed: deployedCapacity(resources, logicalId),
      },
    ];
  });
}

/** `Shop/Outbox` rather than `Shop/Outbox/Resource`, which the construct makes of it. */
function nameOf(path: unknown, otherwise: string): string {
  return typeof path === 'string' ? path.replace(/\/Resource$/, '') : otherwise;
}
