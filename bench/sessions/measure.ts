import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { serialize } from 'node:v8';
import { withClients } from '../../test/support/own-engines/clients.ts';
import { withEngines } from '../../test/support/own-engines/engines.ts';
import { withFolder } from '../../test/support/with-folder.ts';
import type { Figures } from '../benchmark/figures.ts';
import { mapNames, mapNamesInSequence } from '../benchmark/in-turns.ts';
import type { BenchRun } from '../benchmark/measure-parts.ts';
import { sessionContenderNames, sessionContenders } from './contenders.ts';
import { requestKinds, storeResponse } from './stored-response.ts';

/**
 * Units and calls of one request on the engines; its time and allocations on clients that answer at once, with
 * what the engine stored.
 */
export async function measureSessions({ depth, signal, progress }: BenchRun): Promise<Figures['sessions']> {
  progress('Sessions: one request, and its repetition');
  const stored = await withEngines(
    (engines) =>
      withClients(engines, (clients) =>
        mapNamesInSequence(sessionContenderNames, (name) => storeResponse(sessionContenders[name], clients)),
      ),
    signal,
  );
  const times = await withFolder('sagabox-bench-sessions-', async (folder) => {
    const file = join(folder, 'items');
    await writeFile(file, serialize(mapNames(sessionContenderNames, (name) => stored[name].item)));
    const options = ['--conditions=sagabox-source', join(import.meta.dirname, 'worker.ts'), depth, file];
    const { stdout } = await promisify(execFile)(process.execPath, options, { signal });
    return JSON.parse(stdout) as Figures['sessions'];
  });
  return mapNames(requestKinds, (kind) =>
    mapNames(sessionContenderNames, (name) => ({ ...times[kind][name], ...stored[name].units[kind] })),
  );
}
