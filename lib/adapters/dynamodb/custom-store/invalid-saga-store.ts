import { SagaboxError } from '../../../core/failures/errors.ts';
import type { SagaIdentity } from '../../../core/storage/keys.ts';

export function invalidSagaStore(
  { name: sagaName, id: sagaId }: SagaIdentity,
  detail: string,
  cause?: unknown,
): SagaboxError {
  return new SagaboxError('InvalidSagaStore', { sagaName, sagaId, detail }, { cause });
}
