import type { Flow } from '../attempt/attempt.ts';
import type { HandlerContext } from '../handlers/handler-context.ts';
import { type RemainingMs, remainingTime } from './remaining-time.ts';

/** Returns the flow of an endpoint, which its first message makes. */
export type FlowSource = (context: Partial<HandlerContext>) => Flow | Promise<Flow>;

/**
 * Makes a flow once, and not when the module loads: a test may load it where no table is configured.
 *
 * @param loadSettings called before `makeFlow`; if it fails, the message fails, and the next one repeats it
 */
export function flowOnce(
  makeFlow: (context: Partial<HandlerContext>) => Flow,
  loadSettings: (remainingMs: RemainingMs) => Promise<void> = async () => {},
): FlowSource {
  let flow: Flow | undefined;
  const load = async (context: Partial<HandlerContext>) => {
    await loadSettings(remainingTime(context));
    flow ??= makeFlow(context);
    return flow;
  };
  return (context) => flow ?? load(context);
}
