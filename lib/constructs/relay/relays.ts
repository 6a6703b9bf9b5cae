import type { Construct } from 'constructs';
import { AppRegistry } from '../app-registry.ts';

interface Relay extends Construct {
  readonly endpoints: readonly Construct[];
}

const relays = new AppRegistry<Relay>();

export function addRelay(relay: Relay): void {
  relays.add(relay);
}

/** Whether a relay of the app relays the records of the endpoint. */
export function isRelayed(endpoint: Construct): boolean {
  return relays.ofAppOf(endpoint).some(({ endpoints }) => endpoints.includes(endpoint));
}
