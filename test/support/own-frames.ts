import { repository } from './source-files.ts';

const lib = `${repository}/lib/`;
/** The test kit answers calls of the process's clients, also those of other tests. */
const ofTests = `${lib}testing/`;

/**
 * The functions of `lib` on the stack of whoever calls this, the outermost first, as '<file>: <function>'.
 * Functions that wait for others stand there too, where each waits by `await` for a promise that nobody else
 * waits for.
 */
export function ownFrames(): string[] {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = Number.POSITIVE_INFINITY;
  const { stack = '' } = new Error();
  Error.stackTraceLimit = stackTraceLimit;
  const frames = stack.matchAll(
    /^ +at (?:async )?(?:Object\.)?(?:(.*) \()?(?:file:\/\/)?(\/.*?):\d+:\d+\)?$/gm,
  );
  return [...frames]
    .filter(([, , path = '']) => path.startsWith(lib) && !path.startsWith(ofTests))
    .map(([, name = 'a nameless function', path = '']) => `${path.slice(lib.length)}: ${ownNameOf(name)}`)
    .reverse();
}

/** The name that a function was declared with: V8 adds that of the property which it was called by. */
function ownNameOf(name: string): string {
  return name.replace(/ \[as .*\]$/, '');
}
