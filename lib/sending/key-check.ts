import { type RoundedInteger, roundingProblem } from '../kernel/values/rounded-integer.ts';
import { refuserOf } from '../messages/contracts/refusal.ts';

/** The context's function that finds a perhaps rounded integer of its message that a key is made of. */
export const roundedIn: unique symbol = Symbol('sagabox.roundedIn');

export interface TellsRounded {
  readonly [roundedIn]?: ((key: string) => RoundedInteger | undefined) | undefined;
}

/**
 * Refuses an id that is made of a rounded integer: others have to find the id again.
 *
 * @param message the message that carries the id
 * @throws SagaboxError `InvalidOutgoingMessage`
 */
export function assertExactId(
  context: object,
  id: string,
  message: { readonly type: string; readonly destination: string },
): void {
  const rounded = (context as TellsRounded)[roundedIn]?.(id);
  if (rounded) refuserOf(message.type, message.destination)(`its id is ${roundingProblem(rounded)}`);
}
