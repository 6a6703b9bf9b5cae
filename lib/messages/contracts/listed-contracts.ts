import { anyValue } from '../../kernel/checks/checks.ts';
import { configurationError } from '../../kernel/errors/errors.ts';
import type { MessageSchemas } from '../schema.ts';
import { type Contract, makeChecks, type OutgoingChecks, type SenderContracts } from './contract.ts';
import { emptyListChecks } from './empty-lists.ts';

/** The contracts that a sender lists. With a list, a wrong name, type or body in its calls does not compile. */
export interface ListedContracts<
  Sends extends readonly Contract[] = readonly Contract[],
  Publishes extends readonly Contract[] = readonly Contract[],
  Replies extends readonly Contract[] = readonly Contract[],
> {
  /**
   * Contracts of the destinations that `send` names; see docs/guide/contracts.md#plain-functions.
   *
   * @default - `send` takes any name, type and body
   */
  sends?: Sends;
  /**
   * Contracts of what `publish` publishes.
   *
   * @default - `publish` takes any type and body
   */
  publishes?: Publishes;
  /**
   * Contracts whose messages are taken, and whose replies `reply` sends.
   *
   * @default - `reply` takes any type and body
   */
  replies?: Replies;
}

/** Checked by {@link checksOf}, which options without a definition have too. */
export const listSettings = { sends: anyValue, publishes: anyValue, replies: anyValue } as const;

type Lists<
  Sends extends readonly Contract[],
  Publishes extends readonly Contract[],
  Replies extends readonly Contract[],
> = Readonly<Required<ListedContracts<Sends, Publishes, Replies>>>;

/** What a saga lists, in the type that `defineSaga` infers. Its timeouts are for itself. */
export interface ListedBySaga<
  Schemas extends MessageSchemas,
  Sends extends readonly Contract[],
  Publishes extends readonly Contract[],
  Replies extends readonly Contract[],
> extends Lists<Sends, Publishes, Replies> {
  readonly timeouts: Schemas;
}

/**
 * What message handlers list, in the type that `defineHandlers` infers. Without `sends`, a timeout may be for others
 * of the endpoint.
 */
export interface ListedByHandlers<
  Schemas extends MessageSchemas,
  Sends extends readonly Contract[],
  Publishes extends readonly Contract[],
  Replies extends readonly Contract[],
> extends Lists<Sends, Publishes, Replies> {
  readonly timeouts: [Contract] extends [Sends[number]] ? MessageSchemas : Schemas;
}

/** What a definition lists. Only one that lists what it sends has its own timeouts checked. */
export function listedBy({
  messages,
  sends,
  publishes,
  replies,
}: SenderContracts & { readonly messages: MessageSchemas }): SenderContracts {
  return {
    ...(sends && { sends, timeouts: messages }),
    ...(publishes && { publishes }),
    ...(replies && { replies }),
  };
}

/**
 * The checks for what a sender lists; undefined when it has no list.
 *
 * @param of the definition, for errors
 * @throws SagaboxError `Configuration` for what is no contract, and when two of them claim one message type
 */
export function checksOf(of: string, listed: SenderContracts): OutgoingChecks | undefined {
  const { sends, publishes, replies } = listed;
  for (const [list, contracts] of Object.entries({ sends, publishes, replies })) {
    if (contracts === undefined) continue;
    if (Array.isArray(contracts) && contracts.every((contract) => Object(contract).kind === 'contract'))
      continue;
    const problem = 'it is not an array of contracts';
    throw configurationError(`${of}: ${list}`, problem, 'Give contracts that defineContract returned');
  }
  const lists = [sends, publishes, replies].filter((list) => list !== undefined);
  if (lists.length === 0) return undefined;
  const [contract] = lists.flat();
  return contract ? contract[makeChecks](of, listed) : emptyListChecks(listed);
}

/** Where a context takes the checks of the definition whose handler is about to run. */
export const takeChecks: unique symbol = Symbol('sagabox.takeChecks');

export interface TakesChecks {
  readonly [takeChecks]?: (checks: OutgoingChecks) => void;
}

/** To the unit of work behind a context, right before the handler of a definition runs. */
export function giveChecks(context: object, checks: OutgoingChecks | undefined): void {
  if (checks) (context as TakesChecks)[takeChecks]?.(checks);
}
