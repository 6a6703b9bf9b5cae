import type { SagaWrite } from './saga-state.ts';

/** Returns the version of a saga as a write leaves it; for a saga that ends, one more than its last. */
export function writtenVersion(write: SagaWrite): number {
  const changes = write.kind === 'complete' ? 1 : (write.changes ?? 1);
  return (write.read?.version ?? 0) + changes;
}
