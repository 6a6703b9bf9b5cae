import { type Environment, VARIABLE_PREFIX } from '../../settings/setting.ts';
import { RefusedInput, refusedConfiguration } from '../command.ts';
import { readDeployedEndpoint } from './deployed-endpoint.ts';
import { withCloudFormation } from './stack-outputs.ts';

interface EndpointPlace {
  readonly stack?: string | undefined;
  readonly endpoint?: string | undefined;
  readonly table?: string | undefined;
}

/**
 * The variables of the endpoint's function: as its stack has them, or as this process does.
 *
 * @throws RefusedInput
 */
export async function endpointEnvironment({ stack, table, endpoint }: EndpointPlace): Promise<Environment> {
  if (stack === undefined && table === undefined) {
    throw new RefusedInput(['pass --table <name>, or --stack <name>']);
  }
  if (stack === undefined) return process.env;
  if (endpoint === undefined) throw new RefusedInput(['--stack needs --endpoint <name>']);
  const read = withCloudFormation(async (client) => {
    const { environment } = await readDeployedEndpoint(client, stack, endpoint);
    const others = Object.entries(process.env).filter(([name]) => !name.startsWith(VARIABLE_PREFIX));
    // Addresses in the stack's own region do not name it.
    return { ...Object.fromEntries(others), AWS_REGION: await client.config.region(), ...environment };
  });
  return await read.catch(refusedConfiguration);
}
