import { checkWorkload, type RegionPrices, type Workload } from '../../capacity/index.ts';
import { isObject } from '../../capacity/rules/fields.ts';
import type { Problem } from '../../capacity/rules/problems.ts';
import { readWorkloadFile } from './workload-file.ts';
import { type WorkloadOption, workloadOptions } from './workload-options.ts';

/** Of the command line, by the attribute names of the options. */
export interface WorkloadValues {
  readonly workload?: string;
}

export type ReadWorkload = { readonly workload: Workload } | { readonly problems: readonly string[] };

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
    const content = await readWorkloadFile(file);
    const described = isObject(content) ? { ...defaults, ...content } : content;
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
  const given = new Map<WorkloadOption, unknown>();
  for (const option of workloadOptions) {
    const byName = values as Readonly<Record<string, unknown>>;
    if (option.isGiven(byName)) given.set(option, byName[option.attributeName()]);
  }
  const checked = checkWorkload(overridden(described, given), prices && { regions: [prices.region] });
  if ('workload' in checked) return checked;
  const worded = ({ path, problem }: Problem) => {
    const option = workloadOptions.find(({ key }) => key === path);
    const isOption = option && (source === undefined || given.has(option));
    return [...(isOption ? [option.long] : [source, path]), problem].filter(Boolean).join(': ');
  };
  return { problems: checked.problems.map(worded) };
}

function overridden(described: unknown, given: ReadonlyMap<WorkloadOption, unknown>): unknown {
  if (!isObject(described)) return described;
  const own: Record<string, unknown> = {};
  const ofMessage: Record<string, unknown> = {};
  for (const [{ key }, value] of given) {
    if (key.startsWith('message.')) ofMessage[key.slice('message.'.length)] = value;
    else own[key] = value;
  }
  const { message = {} } = described;
  // What is no object is refused by the check, and not hidden by an option.
  const isOverridden = isObject(message) && Object.keys(ofMessage).length > 0;
  return { ...described, ...own, ...(isOverridden && { message: { ...message, ...ofMessage } }) };
}
