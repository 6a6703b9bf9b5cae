import type { OpenMessage, PreparedMessage } from '../../attempt/attempt.ts';
import { combinedWrite } from '../../saga/combined-write.ts';
import type { SagaDraft } from '../../saga/saga-draft.ts';
import type { OpenedSaga, SagaCheck, SagaWrite } from '../../saga/saga-state.ts';
import { assertOngoing } from '../write-commit.ts';

/** The saga as its first message read it, and the combined write of all messages, if any changed it. */
export interface CombinedSaga {
  readonly openedSaga: OpenedSaga;
  readonly saga: SagaWrite | SagaCheck | undefined;
}

/** Combines the writes of all messages. From here on the lease of the saga is no longer renewed. */
export async function combinedSaga(
  allOpened: readonly OpenMessage[],
  messages: readonly PreparedMessage[],
): Promise<CombinedSaga> {
  const { draft, lease } = allOpened[0] as OpenMessage & { readonly draft: SagaDraft };
  // Not before: an upload may take longer than a lease.
  if (lease) await lease.stopRenewing();
  assertOngoing(allOpened);
  const written = messages.flatMap(({ write }) => write ?? []);
  return { openedSaga: draft.openedSaga, saga: combinedWrite(draft.openedSaga, written) };
}
