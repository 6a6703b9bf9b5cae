import { basename, relative, sep } from 'node:path';

/** A test's id for Stryker, and its file. */
export type TestOfFile = readonly [id: string, file: string];

export interface Reached {
  /** The file with the mutant. */
  readonly mutatedFile: string;
  /**
   * The tests that reach it; nothing when it acts while its module loads: then those of its folder are meant.
   */
  readonly tests: readonly string[] | undefined;
}

/**
 * Each part is to be held by tests of its own: those of a service's files, which take the time of an engine, are
 * not run for the others. The file that bears the name of the mutated one comes first, then those with the
 * most tests: they are the likeliest to fail.
 */
export function coveringFiles(
  { mutatedFile, tests }: Reached,
  everyTest: readonly TestOfFile[],
  root: string,
): [file: string, tests: string[]][] {
  const isMeant = new Set(tests);
  const home = folderOf(relative(root, mutatedFile), 'lib');
  const files = new Map<string, string[]>();
  for (const [id, file] of everyTest) {
    const folder = folderOf(relative(root, file), 'test');
    const isCovering =
      tests === undefined
        ? folder === home
        : isMeant.has(id) && isOfService(file) === isOfService(mutatedFile);
    if (isCovering) files.set(file, [...(files.get(file) ?? []), id]);
  }
  const mirror = `${basename(mutatedFile, '.ts')}.test.ts`;
  const likelihood = ([file, testsOfFile]: [string, string[]]) =>
    basename(file) === mirror ? Number.POSITIVE_INFINITY : testsOfFile.length;
  return [...files].sort((one, other) => (likelihood(other) > likelihood(one) ? 1 : -1));
}

/** Whether a file uses the client of a service, as `saga-store.dynamodb.ts` does, or is the test of one that does. */
function isOfService(file: string): boolean {
  return /\.(dynamodb|eventbridge|s3|scheduler|sns|sqs)\.|\/dynamodb\/calls\//.test(file);
}

function folderOf(file: string, root: 'lib' | 'test'): string {
  const [folder = ''] = relative(root, file).split(sep);
  return folder;
}
