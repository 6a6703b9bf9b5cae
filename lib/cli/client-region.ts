import { SagaboxError } from '../kernel/errors/errors.ts';
import { thrownMessage } from '../kernel/errors/thrown.ts';

interface ClientWithRegion {
  readonly config: { readonly region: () => Promise<string> };
}

/**
 * The region that a client calls. The SDK looks for it with the first call only, when a command may have said what
 * its reads take.
 *
 * @param of what is in that region
 * @throws SagaboxError `Configuration` when none is set
 */
export async function clientRegion({ config }: ClientWithRegion, of: string): Promise<string> {
  try {
    return await config.region();
  } catch (cause) {
    throw new SagaboxError(
      'Configuration',
      { setting: 'AWS_REGION', problem: thrownMessage(cause), remedy: `Set it to the region of ${of}` },
      { cause },
    );
  }
}
