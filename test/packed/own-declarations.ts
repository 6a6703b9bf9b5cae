/** What a compiler ended with. */
export interface Compilation {
  /** Of its exit; a text if it could not be started, and none if it was killed. */
  readonly code?: number | string | null;
  readonly stdout: string;
}

/** With any other, TypeScript refused its options, crashed or never ran. */
const exitCodes = { noErrors: 0, errors: 2 };
const own = /(^|\/)node_modules\/sagabox\/|^whole-api/;

/**
 * Errors in the types of the package's peers are theirs.
 *
 * @throws Error when a declaration of the package, or its use, is refused, or when they were not checked
 */
export function assertOwnDeclarations({ code, stdout }: Compilation): void {
  // An error goes on in lines that are indented.
  const errors = stdout.split('\n').filter((line) => /^\S/.test(line));
  const refused = errors.filter((error) => own.test(error));
  if (refused.length > 0) throw withOutput('Its declarations are refused', refused.join('\n'));
  const areOfFiles = errors.every((error) => /^.+\(\d+,\d+\): error TS\d+/.test(error));
  const expected = errors.length === 0 ? exitCodes.noErrors : exitCodes.errors;
  if (!areOfFiles || code !== expected)
    throw withOutput(`The compiler ended with ${code}, without checking the declarations`, stdout);
}

function withOutput(message: string, stdout: string): Error {
  return Object.assign(new Error(message), { stdout });
}
