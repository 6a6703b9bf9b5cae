import type { BenchRun } from '../benchmark/bench-run.ts';
import type { BundleFigures } from '../benchmark/benchmark-figures.ts';
import { bundle } from './bundle.ts';

/** How large each side is on its way to Lambda. */
export async function measureBundle({ signal, progress }: BenchRun): Promise<BundleFigures> {
  progress('bundle: sagabox, Powertools batch + idempotency, and bare middy');
  signal.throwIfAborted();
  const [sagabox, powertools, middy] = await Promise.all([
    bundle('sagabox'),
    bundle('powertools'),
    bundle('middy'),
  ]);
  return {
    sagaboxKB: sagabox.kB,
    sagaboxGzipKB: sagabox.gzipKB,
    powertoolsKB: powertools.kB,
    powertoolsGzipKB: powertools.gzipKB,
    middyKB: middy.kB,
    middyGzipKB: middy.gzipKB,
    sagaboxParts: sagabox.parts,
    powertoolsParts: powertools.parts,
  };
}
