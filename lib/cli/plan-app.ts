import { readdir, readFile } from 'node:fs/promises';
import { basename, join, relative } from 'node:path';

/** A workload that tables of a synthesized app are made for. */
export interface AppWorkload {
  /** The paths of its tables in the app; where the templates do not have them, the stacks and their logical ids. */
  readonly name: string;
  /** As the template has it: not checked. */
  readonly described: unknown;
}

/** Where the constructs leave the workload of a table. */
const WORKLOAD_METADATA = 'sagabox:workload';

const TEMPLATE = '.template.json';

const tableTypes: readonly unknown[] = ['AWS::DynamoDB::Table', 'AWS::DynamoDB::GlobalTable'];

/**
 * The workloads of the tables in a synthesized app, of all of its stacks and stages. One that two tables are made for, that of
 * the sagas and that of the outbox, is one.
 *
 * @throws Error in words for the user, when the folder or a template of it cannot be read, or tells no workload
 */
export async function readAppWorkloads(folder: string): Promise<AppWorkload[]> {
  const templates = await templatesIn(folder);
  if (templates.length === 0) throw new Error('it holds no template: is it the output of cdk synth?');
  const found = await Promise.all(templates.map((path) => workloadsOf(path, folder)));
  if (found.flat().length === 0)
    throw new Error('no table in it tells its workload: give tables `capacity: Capacity.forWorkload(…)`');
  return mergeTables(found.flat());
}

interface TableWorkload extends AppWorkload {
  /** Which one it is of those that are the same for its table. */
  readonly occurrence: number;
}

function mergeTables(found: readonly TableWorkload[]): AppWorkload[] {
  const merged = new Map<string, AppWorkload>();
  for (const { name, described, occurrence } of found) {
    const key = `${occurrence} ${JSON.stringify(described)}`;
    const other = merged.get(key);
    merged.set(key, { name: other === undefined ? name : `${other.name}, ${name}`, described });
  }
  return [...merged.values()];
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

async function workloadsOf(path: string, folder: string): Promise<TableWorkload[]> {
  let template: unknown;
  try {
    template = JSON.parse(await readFile(path, 'utf8'));
  } catch (error) {
    throw new Error(`${relative(folder, path)} is no template: ${messageOf(error)}`, { cause: error });
  }
  return Object.entries(propertiesOf(propertiesOf(template).Resources)).flatMap(([logicalId, resource]) => {
    const { Type, Metadata } = propertiesOf(resource);
    const metadata = propertiesOf(Metadata);
    if (!tableTypes.includes(Type) || !(WORKLOAD_METADATA in metadata)) return [];
    const described = [metadata[WORKLOAD_METADATA]].flat();
    const texts = described.map((workload) => JSON.stringify(workload));
    const name = nameOf(metadata['aws:cdk:path'], `${basename(path, TEMPLATE)}/${logicalId}`);
    return described.map((workload, index) => ({
      name: described.length === 1 ? name : `${name} (${index + 1} of ${described.length})`,
      described: workload,
      occurrence: texts.slice(0, index).filter((text) => text === texts[index]).length,
    }));
  });
}

/** `Shop/Outbox` rather than `Shop/Outbox/Table/Resource`, which the constructs make of it. */
function nameOf(path: unknown, otherwise: string): string {
  return typeof path === 'string' ? path.replace(/(?:\/Table)?\/Resource$/, '') : otherwise;
}

function propertiesOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
