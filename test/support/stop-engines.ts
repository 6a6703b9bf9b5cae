import { rm } from 'node:fs/promises';
import { stopKeptEngines } from './running-engines.ts';

/** Once per test run, at its end. */
export default async function stopEngines(): Promise<void> {
  await stopKeptEngines();
  const { SAGABOX_TEST_FOLDER: folder } = process.env;
  if (folder) await rm(folder, { recursive: true, force: true });
}
