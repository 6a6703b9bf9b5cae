import { diag, trace } from '@opentelemetry/api';
import { MAX_TIMER_MS } from '../../core/async/max-timer.ts';

/** What is registered stands behind a proxy; the API has no flush of its own. */
interface FlushableProvider {
  readonly getDelegate?: () => FlushableProvider;
  readonly forceFlush?: () => Promise<void>;
}

/** What is not exported by then is left to run: the caller has its answer. */
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
