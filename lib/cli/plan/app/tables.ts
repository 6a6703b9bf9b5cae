import { readdir, readFile } from 'node:fs/promises';
import { basename, join, relative } from 'node:path';
import { type DeployedCapacity, deployedCapacity } from './capacity.ts';
import { propertiesOf } from './template.ts';

/** A table of a synthesized app whose template has its workload or its plan. */
export interface AppTable {
  /** Its path in the app; without it in the template, the stack and the logical id. */
  readonly name: string;
  /** As the template has them: not checked. */
  readonly workloads: readonly unknown[];
  /** As the template has it: not checked, and `undefined` when the template has none. */
  readonly plan: unknown;
  readonly deployed: DeployedCapacity;
}

/** Where the constructs leave what a table is made for, and what they made of it. */
const metadataKeys = { workload: 'sagabox:workload', plan: 'sagabox:plan' } as const;

const TEMPLATE = '.template.json';

const tableTypes: readonly unknown[] = ['AWS::DynamoDB::Table', 'AWS::DynamoDB::GlobalTable'];

/**
 * The tables with a workload or a plan, of all stacks and stages of a synthesized app.
 *
 * @throws Error for the user, if the folder or a template cannot be read, or there is no such table
 */
export async function readAppTables(folder: string): Promise<AppTable[]> {
  const templates = await templatesIn(folder);
  if (templates.length === 0) throw new Error('it holds no template: is it the output of cdk synth?');
  const found = await Promise.all(templates.map((path) => tablesOfTemplate(path, folder)));
  if (found.flat().length > 0) return found.flat();
  throw new Error(
    'no table in it has a workload: use `TableCapacity.forWorkload(…)`, or pass `workload` to the other two',
  );
}

async function templatesIn(folder: string): Promise<string[]> {
  try {
    const entries = await readdir(folder, { recursive: true });
    return entries
      .filter((path) => path.endsWith(TEMPLATE))
      .sort()
      .map((path) => join(folder, path));
  } catch (error) {
    throw new Error(`it cannot be read: ${messageOf(error)}`, { cause: error });
  }
}

async function tablesOfTemplate(path: string, folder: string): Promise<AppTable[]> {
  let template: unknown;
  try {
    template = JSON.parse(await readFile(path, 'utf8'));
  } catch (error) {
    throw new Error(`${relative(folder, path)} is no template: ${messageOf(error)}`, { cause: error });
  }
  const resources = propertiesOf(propertiesOf(template).Resources);
  return Object.entries(resources).flatMap(([logicalId, resource]) => {
    const { Type, Metadata } = propertiesOf(resource);
    const metadata = propertiesOf(Metadata);
    const isPlanned = Object.values(metadataKeys).some((key) => key in metadata);
    if (!tableTypes.includes(Type) || !isPlanned) return [];
    return [
      {
        name: nameOf(metadata['aws:cdk:path'], `${basename(path, TEMPLATE)}/${logicalId}`),
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

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
