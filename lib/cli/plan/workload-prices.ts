import type { RegionPrices } from '../../capacity/index.ts';
import { problemsOfPrices } from '../../capacity/rules/price-rules.ts';
import { readWorkloadFile } from './workload-file.ts';

export type ReadPrices =
  | { readonly prices: RegionPrices | undefined }
  | { readonly problems: readonly string[] };

/** The prices in a file of the fields of `RegionPrices`, or every problem of it; nothing without a file. */
export async function readPrices(path: string | undefined): Promise<ReadPrices> {
  if (path === undefined) return { prices: undefined };
  try {
    const read = await readWorkloadFile(path);
    const problems = problemsOfPrices(read, undefined, '');
    if (problems.length === 0) return { prices: read as RegionPrices };
    return {
      problems: problems.map(({ path: at, problem }) => [path, at, problem].filter(Boolean).join(': ')),
    };
  } catch (error) {
    return { problems: [`${path}: ${(error as Error).message}`] };
  }
}
