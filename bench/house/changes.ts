import type { SourceFile } from '../../test/support/source-files.ts';

/** An example of each change: who adds one like it opens the files that name this one. */
export const changes = {
  'a prop': 'maxConcurrency',
  'a way out': 'eventBridgeClient',
  'an error': 'DuplicateMessage',
  'a retry rule': 'immediateRetries',
  'a stored attribute': 'dispatchedAt',
} as const;

/**
 * The files whose code names it.
 *
 * @throws Error if there are none: the name was changed, and the count would be wrong
 */
export function filesNaming(name: string, sources: readonly Pick<SourceFile, 'path' | 'code'>[]): string[] {
  const word = new RegExp(`\\b${name}\\b`);
  const files = sources.filter(({ code }) => word.test(code)).map(({ path }) => path);
  if (files.length > 0) return files;
  throw new Error(`No file of lib names '${name}' any more: name another example in bench/house/changes.ts`);
}
