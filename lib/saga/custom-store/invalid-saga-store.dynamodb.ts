import type { SagaIdentity } from '../../dynamodb/keys.ts';
import { SagaboxError } from '../../kernel/errors/errors.ts';

export function invalidSagaStore(
  { name: sagaName, id: sagaId }: SagaIdentity,
  detail: string,
  cause?: unknown,
): SagaboxError {
  return new SagaboxError('InvalidSagaStore', { sagaName, sagaId, detail }, { cause });
}
