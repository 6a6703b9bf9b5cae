import { type RoundedInteger, roundingProblem } from '../checks/rounded-integer.ts';
import { refuserOf } from './refusal.ts';

/** Where a context tells whether a key is made of an integer of its message that JavaScript may have rounded. */
export const roundedIn: unique symbol = Symbol('sagabox.roundedIn');

export interface TellsRounded {
  readonly [roundedIn]?: ((key: string) => RoundedInteger | undefined) | undefined;
}

/**
 * For an id that others have to find again.
 *
 * @param message that carries it
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
