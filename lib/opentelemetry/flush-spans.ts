import { diag, trace } from '@opentelemetry/api';
import { MAX_TIMER_MS } from '../kernel/async/max-timer.ts';

/** The registered provider, which stands behind a proxy; the API has no flush of its own. */
interface FlushableProvider {
  readonly getDelegate?: () => FlushableProvider;
  readonly forceFlush?: () => Promise<void>;
}

/** Exports the spans. An export that is not done after the timeout is left to run, without the caller. */
export async function flushSpans(timeoutMs: number): Promise<void> {
  const registered = trace.getTracerProvider() as FlushableProvider;
  const provider = registered.getDelegate?.() ?? registered;
  if (timeoutMs <= 0 || provider.forceFlush === undefined) return;
  const { promise: timeIsUp, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, Math.min(timeoutMs, MAX_TIMER_MS));
  try {
    await Promise.race([provider.forceFlush(), timeIsUp]);
  } catch (error) {
    diag.error('sagabox: spans were not exported', error);
  } finally {
    clearTimeout(timer);
  }
}
