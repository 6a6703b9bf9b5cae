import { stopKeptEngines } from './running-engines.ts';

export default async function stopEngines(): Promise<void> {
  await stopKeptEngines();
}
