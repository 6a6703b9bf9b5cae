import { checkWorkload, type RegionPrices, type Workload } from '../../capacity/index.ts';
import { type Problem, problemText } from '../../kernel/checks/problems.ts';
import { isJsonObject } from '../../kernel/values/value-kind.ts';
import { readDataFile } from '../data-file.ts';
import { workloadOptions } from './workload-options.ts';

/** Of the command line, by the attribute names of the options. */
export interface WorkloadValues {
  readonly workload?: string;
}

export type ReadWorkload = { readonly workload: Workload } | { readonly problems: readonly string[] };

/** Whether the command line says anything of a workload. */
export function describesWorkload(values: WorkloadValues): boolean {
  return (
    values.workload !== undefined || workloadOptions.some((option) => option.givenIn(values) !== undefined)
  );
}

/**
 * The workload that the options and the workload file describe.
 *
 * @param defaults used for what neither says
 * @param prices whose region is the only one
 * @returns every problem at once, each with its option or its path in the file
 */
export async function readWorkload(
  values: WorkloadValues,
  defaults: Partial<Workload> = {},
  prices?: RegionPrices,
): Promise<ReadWorkload> {
  const { workload: file } = values;
  if (file === undefined) return checkDescribed({ message: {}, ...defaults }, undefined, prices, values);
  try {
    const content = await readDataFile(file);
    const described = isJsonObject(content) ? { ...defaults, ...content } : content;
    return checkDescribed(described, file, prices, values);
  } catch (error) {
    // What the options override is not known: only their own problems are reported.
    const alone = checkDescribed({}, file, prices, values);
    const ofOptions = 'problems' in alone ? alone.problems.filter((problem) => problem.startsWith('--')) : [];
    return { problems: [`${file}: ${(error as Error).message}`, ...ofOptions] };
  }
}

/**
 * Checks what a file or an app describes, overridden by options.
 *
 * @param source of the description, for the problems
 * @param prices whose region is the only one
 */
export function checkDescribed(
  described: unknown,
  source?: string,
  prices?: Pick<RegionPrices, 'region'>,
  values: object = {},
): ReadWorkload {
  const given = workloadOptions.filter((option) => option.givenIn(values) !== undefined);
  const overrides = new Map(given.map((option) => [option.key, option.givenIn(values)]));
  const checked = checkWorkload(overridden(described, overrides), prices && { regions: [prices.region] });
  if ('workload' in checked) return checked;
  const worded = (found: Problem) => {
    const options = source === undefined ? workloadOptions : given;
    const option = options.find(({ key }) => key === found.at);
    const at = (option ? [option.long] : [source, found.at]).filter(Boolean).join(': ');
    return problemText({ ...found, at });
  };
  return { problems: checked.problems.map(worded) };
}

function overridden(described: unknown, overrides: ReadonlyMap<string, unknown>): unknown {
  if (!isJsonObject(described)) return described;
  const all = { ...described };
  for (const [key, value] of overrides) {
    const [name = '', inner] = key.split('.');
    const { [name]: outer = {} } = all;
    if (inner === undefined) all[name] = value;
    // What is no object is refused by the check, and not hidden by an option.
    else if (isJsonObject(outer)) all[name] = { ...outer, [inner]: value };
  }
  return all;
}
