import { console as inspectorConsole, type Runtime, Session } from 'node:inspector';
import { pathBelow } from './path-below.ts';

/** A function on the way to a call. */
export interface Frame {
  /** Empty for one without a name. */
  readonly name: string;
  /** With the line of the call, from 1. */
  readonly place: string;
}

/** More than any chain has. */
const MAX_DEPTH = 1000;

/**
 * The functions of a folder that lead to each mark, outermost first, each once. They are what the debugger's
 * asynchronous stack shows: who called and who awaits, also where one message waits for a batch of calls.
 *
 * @param work calls `mark` where it wants to know; of several marks of one name the first one counts
 */
export async function callChains(
  folder: string,
  work: (mark: (name: string) => void) => Promise<unknown>,
): Promise<ReadonlyMap<string, readonly Frame[]>> {
  const chains = new Map<string, readonly Frame[]>();
  const session = new Session();
  session.connect();
  try {
    session.post('Runtime.enable');
    session.post('Debugger.enable');
    session.post('Debugger.setAsyncCallStackDepth', { maxDepth: MAX_DEPTH });
    session.on('Runtime.consoleAPICalled', ({ params: { args, stackTrace } }) => {
      const name = String(args[0]?.value);
      if (!chains.has(name)) chains.set(name, framesOf(session, folder, stackTrace));
    });
    await work((name) => inspectorConsole.debug(name));
  } finally {
    session.disconnect();
  }
  return chains;
}

/** @throws Error if no function is named for the dispatch */
export function fromDispatch(chain: readonly Frame[]): Frame[] {
  const start = chain.findIndex(({ name }) => name.startsWith('dispatch'));
  if (start >= 0) return chain.slice(start);
  throw new Error('No function whose name begins with dispatch leads to SendMessageBatch: see bench/house');
}

function framesOf(session: Session, folder: string, innermost: Runtime.StackTrace | undefined): Frame[] {
  const frames = new Map<string, Frame>();
  for (let stack = innermost; stack !== undefined; stack = parentOf(session, stack)) {
    for (const { url, functionName, lineNumber } of stack.callFrames) {
      const path = pathBelow(folder, url);
      if (path === undefined) continue;
      const place = `${path}:${lineNumber + 1}`;
      const id = functionName === '' ? place : `${path} ${functionName}`;
      if (!frames.has(id)) frames.set(id, { name: functionName, place });
    }
  }
  return [...frames.values()].reverse();
}

function parentOf(
  session: Session,
  { parent, parentId }: Runtime.StackTrace,
): Runtime.StackTrace | undefined {
  let found = parent;
  if (found === undefined && parentId !== undefined) {
    // A session of the own thread answers at once.
    session.post('Debugger.getStackTrace', { stackTraceId: parentId }, (error, answer) => {
      if (error) throw error;
      found = answer.stackTrace;
    });
  }
  return found;
}
