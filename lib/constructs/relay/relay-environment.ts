import { type Duration, Stack, Token, Tokenization } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { type DestinationAddress, ownDestinationName } from '../../messages/destinations/destination.ts';
import type { RelayStrategy } from '../../relay/relay-defaults.ts';
import { deduplicationPeriodSetting } from '../../settings/endpoint.ts';
import type { WrittenRelay } from '../../settings/relay.ts';
import { type NamedScheduler, schedulerSetting } from '../../settings/sending.ts';
import type { WrittenSetting } from '../../settings/setting.ts';
import { sagaTableSetting, type TableReference } from '../../settings/tables.ts';
import { sendingOf } from '../endpoint/endpoint-sending.ts';
import { tableReference } from '../tables/table-reference.ts';
import { embeddedTableOf } from './embedded-endpoints.ts';
import type { OutboxWatcher } from './outbox-watcher.ts';
import type { RelayedEndpoint } from './relayed-endpoint.ts';

interface RelaySettings {
  readonly strategy: RelayStrategy;
  readonly olderThan: Duration;
  readonly maxReadUnitsPerSecond: number;
}

/** What several endpoints of one relay have in common, and what is different at some. All is read at synth. */
export class RelayEnvironment {
  readonly #stack: Stack;
  readonly #endpoints: readonly RelayedEndpoint[];

  constructor(relay: Construct, endpoints: readonly RelayedEndpoint[]) {
    this.#stack = Stack.of(relay);
    this.#endpoints = endpoints;
  }

  /** The relay: the endpoints by their names, and the variables of some that are their own. */
  relay(
    { olderThan, strategy, maxReadUnitsPerSecond }: RelaySettings,
    watched: OutboxWatcher['watched'],
  ): WrittenRelay {
    const exceptions: Record<string, Record<string, unknown>> = {};
    for (const { name, own } of [
      ...this.#exceptions(schedulerSetting, schedulerOf),
      ...this.#exceptions(deduplicationPeriodSetting, deduplicationSeconds),
      ...this.#exceptions(sagaTableSetting, (endpoint) => this.#sagaTableOf(endpoint)),
    ]) {
      exceptions[name] = { ...exceptions[name], ...own };
    }
    return {
      olderThanSeconds: knownNumber(olderThan.toSeconds({ integral: false })),
      strategy,
      maxReadUnitsPerSecond: knownNumber(maxReadUnitsPerSecond),
      endpoints: this.#endpoints.map(({ endpointName }) => endpointName),
      ...(strategy === 'stream' && {
        watched: watched.map(({ table, mapping }) => ({
          table: tableReference(table, this.#stack),
          mapping: mapping.eventSourceMappingId,
        })),
      }),
      ...(Object.keys(exceptions).length > 0 && { exceptions }),
    };
  }

  /** That of most endpoints. */
  scheduler(): NamedScheduler | undefined {
    return this.#mostCommon(this.#endpoints.map(schedulerOf));
  }

  deduplicationSeconds(): string | undefined {
    return this.#mostCommon(this.#endpoints.map(deduplicationSeconds));
  }

  /**
   * That of most endpoints with an embedded outbox; undefined if there are none. Endpoints without one search it
   * too, and find nothing there.
   */
  sagaTable(): TableReference | undefined {
    return this.#mostCommon(this.#endpoints.map((endpoint) => this.#sagaTableOf(endpoint)));
  }

  metricsNamespace(): string | undefined {
    return this.#mostCommon(this.#endpoints.map(({ metricsNamespace }) => metricsNamespace));
  }

  /**
   * All destinations, each name once. One that stands for several addresses is that of most endpoints, and has
   * the name of the endpoint before it for the others.
   */
  destinations(): Record<string, DestinationAddress> {
    const each = this.#endpoints.map((endpoint) => ({
      endpointName: endpoint.endpointName,
      addresses: sendingOf(endpoint)?.destinations.addresses() ?? {},
    }));
    const names = new Set(each.flatMap(({ addresses }) => Object.keys(addresses)));
    const entries = [...names].flatMap((name) => {
      const known = each.flatMap(({ endpointName, addresses: { [name]: address } }) =>
        address === undefined ? [] : [{ endpointName, address }],
      );
      const common = this.#identityOf(this.#mostCommon(known.map(({ address }) => address)));
      return known.map(({ endpointName, address }) => {
        const isCommon = this.#identityOf(address) === common;
        return [isCommon ? name : ownDestinationName(endpointName, name), address] as const;
      });
    });
    return Object.fromEntries(entries);
  }

  #sagaTableOf(endpoint: RelayedEndpoint): TableReference | undefined {
    const table = embeddedTableOf(endpoint);
    return table && tableReference(table, this.#stack);
  }

  /** The values that are others than that of most endpoints. */
  #exceptions<Written>(
    { variable }: WrittenSetting<Written>,
    read: (endpoint: RelayedEndpoint) => Written | undefined,
  ) {
    const values = this.#endpoints.map((endpoint) => ({ endpoint, value: read(endpoint) }));
    const common = this.#identityOf(this.#mostCommon(values.map(({ value }) => value)));
    const differing = values.filter(({ value }) => value !== undefined && this.#identityOf(value) !== common);
    return differing.map(({ endpoint, value }) => ({
      name: endpoint.endpointName,
      own: { [variable]: value },
    }));
  }

  /** Of equally many the first; `undefined` only when there is no other value. */
  #mostCommon<T>(values: readonly (T | undefined)[]): T | undefined {
    const found = new Map<string, { readonly value: T; count: number }>();
    for (const value of values) {
      if (value === undefined) continue;
      const identity = this.#identityOf(value);
      const known = found.get(identity) ?? { value, count: 0 };
      known.count += 1;
      found.set(identity, known);
    }
    const all = [...found.values()];
    const most = Math.max(...all.map(({ count }) => count));
    return all.find(({ count }) => count === most)?.value;
  }

  /** Tokens for the same are the same once they are resolved. */
  #identityOf(value: unknown): string {
    // Resolving takes much longer than looking.
    const text = JSON.stringify(value) ?? '';
    return Token.isUnresolved(text) ? JSON.stringify(this.#stack.resolve(value)) : text;
  }
}

function schedulerOf(endpoint: RelayedEndpoint): NamedScheduler | undefined {
  return sendingOf(endpoint)?.scheduledSends?.setting();
}

function deduplicationSeconds({ deduplicationPeriod }: RelayedEndpoint): string {
  return Tokenization.stringifyNumber(deduplicationPeriod.toSeconds());
}

/** As text when it is known only at deployment: the setting is JSON, which has no place for such a number. */
function knownNumber(value: number): number | string {
  return Token.isUnresolved(value) ? Tokenization.stringifyNumber(value) : value;
}
