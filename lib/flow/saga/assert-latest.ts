import { beforeAbort } from '../../core/async/before-abort.ts';
import { SagaboxError } from '../../core/failures/errors.ts';
import type { OpenedSaga } from '../../core/saga/saga-state.ts';
import type { Attempt } from '../attempt.ts';

/**
 * For a saga that was read with eventual consistency and is not written: no condition of the commit would
 * notice that its handler decided on an old version.
 *
 * @throws SagaboxError `SagaConcurrency`
 */
export async function assertLatest(
  { flow, meter, signal }: Attempt,
  { identity, stored }: OpenedSaga,
): Promise<void> {
  const latest = await beforeAbort(flow.ports.sagas.load(identity, meter, 'all'), signal);
  if (latest?.revision.commitId === stored?.revision.commitId) return;
  throw new SagaboxError('SagaConcurrency', {
    sagaName: identity.name,
    sagaId: identity.id,
    operation: stored ? 'update' : 'create',
  });
}
