import type { RunningEngine } from '../../lib/local/engines/running-engine.ts';

/** Setup and teardown of a test run may load this module twice, but they share one process. */
const shared = globalThis as { sagaboxTestEngines?: readonly RunningEngine[] };

export function keepEngines(engines: readonly RunningEngine[]): void {
  shared.sagaboxTestEngines = engines;
}

export async function stopKeptEngines(): Promise<void> {
  await Promise.all((shared.sagaboxTestEngines ?? []).map((engine) => engine.stop()));
}
