import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { repository } from '../../test/support/source-files.ts';

/** 'lib/pipeline/open.ts' for the URL or path of a script in the folder `lib`, undefined for others. */
export function pathBelow(folder: string, script: string): string | undefined {
  const path = relative(repository, script.startsWith('file:') ? fileURLToPath(script) : script);
  return path.startsWith(`${folder}/`) ? path : undefined;
}
