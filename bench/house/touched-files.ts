import { Session } from 'node:inspector/promises';
import { pathBelow } from './path-below.ts';

/** The files of a folder of which a call runs at least one function, by V8's coverage. */
export async function touchedFiles(folder: string, call: () => Promise<unknown>): Promise<string[]> {
  const session = new Session();
  session.connect();
  try {
    await session.post('Profiler.enable');
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
    await call();
    const { result } = await session.post('Profiler.takePreciseCoverage');
    // Scripts without a call since the start are not in it.
    return result.flatMap(({ url }) => pathBelow(folder, url) ?? []).sort();
  } finally {
    session.disconnect();
  }
}
