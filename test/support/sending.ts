import { type DestinationAddress, parseDestinations } from '../../lib/messages/destinations/destination.ts';
import type { Sending } from '../../lib/sending/sending.ts';

/** Sends to these addresses, in plain JSON, without long delays or claim checks unless the test says so. */
export function sendingTo(
  addresses: Readonly<Record<string, DestinationAddress>>,
  overrides: Partial<Sending> = {},
): Sending {
  return {
    destinations: parseDestinations(addresses, 'test'),
    publishTo: {},
    schedules: false,
    claimCheckThresholdBytes: undefined,
    claimCheckRetentionSeconds: undefined,
    format: 'plain',
    validateOutgoing: true,
    ...overrides,
  };
}
