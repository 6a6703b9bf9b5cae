import { readCloudAssembly } from '../../local/app/cloud-assembly.ts';
import { modelResources } from '../../local/app/resources/model.ts';
import { queueNamed } from '../../local/app/resources/named-resource.ts';
import { runnableResources } from '../../local/app/resources/runnable.ts';
import { refusedConfiguration } from '../command.ts';

/**
 * Finds the queues in what a synth wrote, before anything starts.
 *
 * @throws RefusedInput when the app does not declare one, or the directory cannot be read
 */
export async function assertDeclaredQueues(directory: string, queues: readonly string[]): Promise<void> {
  if (queues.length === 0) return;
  try {
    const { resources } = runnableResources(modelResources(await readCloudAssembly(directory), ''));
    for (const queue of queues) queueNamed(resources, queue);
  } catch (error) {
    refusedConfiguration(error);
  }
}
