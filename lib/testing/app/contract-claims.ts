import type { Definition } from '../../compose/handler/route-messages.ts';
import type { Contract, SenderContracts } from '../../messages/contracts/contract.ts';
import { assertOneReceiver } from '../../messages/contracts/one-receiver.ts';
import { type AppEndpoint, type AppSession, isEndpoint, isSession } from './app-options.ts';
import { subscriptions } from './subscriptions.ts';

type Listed = 'sends' | 'publishes' | 'replies';

/**
 * Of the contracts that the endpoints list: all but those that are published, which go to every subscriber.
 *
 * @param isPublished whether a name is that of a topic or event bus of the app
 * @throws SagaboxError `Configuration` for one whose messages two endpoints take
 */
export function assertContractClaims(
  given: readonly (AppEndpoint | AppSession)[],
  isPublished: (name: string) => boolean,
): void {
  const endpoints = given.filter(isEndpoint);
  const senders: (Pick<SenderContracts, Listed> | undefined)[] = [
    ...endpoints.flatMap(definitionsOf).map(({ contracts }) => contracts),
    ...given.filter(isSession),
  ];
  const listed = (list: Listed) => new Set(senders.flatMap((contracts) => contracts?.[list] ?? []));
  const published = listed('publishes');
  const contracts = new Set<Contract>([...listed('sends'), ...listed('replies'), ...published]);
  for (const contract of contracts) {
    if (published.has(contract) || isPublished(contract.name)) continue;
    for (const [type, schema] of Object.entries(contract.messages)) {
      // It may be a message of any of them.
      const isShared = [...contracts].some((each) => each !== contract && each.messages[type] === schema);
      if (isShared) continue;
      const receivers = endpoints.filter(
        (endpoint) =>
          takes(endpoint, type, schema) &&
          (endpoint.endpoint === contract.name || !isSubscribed(endpoint, type)),
      );
      assertOneReceiver(
        contract.name,
        type,
        receivers.map(({ endpoint }) => `'${endpoint}'`),
        "list it in the 'publishes' of its sender, or give its topic to 'subscribesTo' of its receivers",
      );
    }
  }
}

function takes(endpoint: AppEndpoint, type: string, schema: unknown): boolean {
  return definitionsOf(endpoint).some(({ messages }) => messages[type] === schema);
}

/** What it gets from a topic or event bus may be the message of a contract that no endpoint lists. */
function isSubscribed(endpoint: AppEndpoint, type: string): boolean {
  return Object.values(subscriptions(endpoint)).some((types) => types === 'all' || types.includes(type));
}

function definitionsOf({ handles }: AppEndpoint): Definition[] {
  return [handles].flat() as Definition[];
}
