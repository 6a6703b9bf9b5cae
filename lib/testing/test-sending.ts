import type { Sending } from '../core/outgoing/sending.ts';
import { sendingOf } from '../middleware/sending-settings.ts';
import { testDefaults } from './test-defaults.ts';
import { testDestinations } from './test-destinations.ts';
import type { TestOptions } from './test-options.ts';

/**
 * How an endpoint under test sends: as in production, with what a test need not configure.
 *
 * @throws SagaboxError `Configuration`
 */
export function testSending(endpoint: string, options: TestOptions): Sending {
  const { publishTo = testDefaults.publishTo, scheduler = true, destinations, ...others } = options;
  return {
    ...sendingOf({ ...others, endpoint, destinations: {}, publishTo }, {}),
    destinations: testDestinations(endpoint, destinations),
    schedules: scheduler,
  };
}
