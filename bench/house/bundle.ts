import { bundle, sizeOf } from '../bundle/bundle.ts';
import { coldLoadOf } from '../bundle/cold-load.ts';

/** Enough for a median; `npm run bench` has more. */
const ROUNDS = 20;
const peers = ['@aws-lambda-powertools/batch', '@aws-lambda-powertools/idempotency'];

export interface BundleFigures {
  readonly size: { readonly kB: number; readonly gzipKB: number };
  /** Milliseconds after the SDK, the median of fresh processes; undefined if Powertools is not installed. */
  readonly loadMs: Readonly<Record<'sagabox' | 'powertools', number>> | undefined;
}

/** The function of one plain saga. */
export async function measureBundle(signal: AbortSignal): Promise<BundleFigures> {
  const size = sizeOf(await bundle('sagabox'));
  const loadMs = peers.every(isInstalled) ? (await coldLoadOf(ROUNDS, signal)).aloneMs : undefined;
  return { size, loadMs };
}

function isInstalled(name: string): boolean {
  try {
    import.meta.resolve(name);
    return true;
  } catch {
    // Resolving fails for what is not installed, and for nothing else here.
    return false;
  }
}
