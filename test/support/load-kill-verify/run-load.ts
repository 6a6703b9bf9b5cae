import { beside, type Companion } from './beside.ts';
import { type Settling, settle } from './settle.ts';

/** Messages, who handles them, and how to see that they are handled. */
export interface Load extends Settling {
  /** Sends the messages, before the companions begin. */
  readonly send?: (() => Promise<void>) | undefined;
  /** Functions that handle the messages, and those who kill them; or they are beside several loads. */
  readonly companions?: readonly Companion[];
}

/**
 * Sends a load, and lets it be handled until all of it is, or nothing moves any more. Evidence is gathered and judged
 * in either case.
 *
 * @returns whether all is handled
 */
export async function runLoad(
  { send, companions = [], ...settling }: Load,
  signal: AbortSignal,
): Promise<boolean> {
  await send?.();
  return await beside(companions, (own) => settle(settling, own), signal);
}
