import type { HandlerContext } from '../../handlers/handler-context.ts';
import type { SenderContracts } from '../../messages/contracts/contract.ts';
import type { NoContracts } from '../../messages/contracts/sender-contracts.ts';
import type { AppendingSaga, CollectingSaga, Saga } from '../saga-state.ts';

export interface SagaHandlerContext<State, Listed extends SenderContracts = NoContracts>
  extends HandlerContext<Listed> {
  readonly saga: Saga<State>;
}

/** What the definition of a saga gives its handlers: see {@link DefinedHandlerContext}. */
export interface DefinedSagaHandlerContext<State, Listed extends SenderContracts>
  extends SagaHandlerContext<State, Listed> {}

/** What it gives those that append: its timeouts are a part of the saga, which they leave as it is. */
export interface DefinedAppendingContext<State, Listed extends SenderContracts>
  extends Omit<HandlerContext<Listed>, 'requestTimeout' | 'cancelTimeout'> {
  readonly saga: AppendingSaga<State>;
}

/** What it gives those that collect. */
export interface DefinedCollectingContext<State, Listed extends SenderContracts>
  extends HandlerContext<Listed> {
  readonly saga: CollectingSaga<State>;
}
