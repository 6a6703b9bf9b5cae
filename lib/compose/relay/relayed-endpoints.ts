import { assertKeyName } from '../../dynamodb/keys.ts';
import { assertOptionKinds } from '../../kernel/checks/checks.ts';
import { configurationError } from '../../kernel/errors/errors.ts';
import { describeValue } from '../../kernel/errors/thrown.ts';
import { endpointSetting } from '../../settings/endpoint.ts';
import { relaySetting, variablesOfEndpoint } from '../../settings/relay.ts';
import { decoded, type Environment, encoded } from '../../settings/setting.ts';
import { relayedEndpointChecks, takerOf } from '../assert-options.ts';
import type { RelayOutboxOptions } from './relay-options.ts';

/** The options and environment of one endpoint of a relay, as if it were the only one. */
export interface RelayedEndpointSettings {
  readonly options: RelayOutboxOptions;
  readonly environment: Environment;
}

/** @throws SagaboxError `Configuration` when no endpoint is given, or one twice */
export function relayedEndpoints(
  options: RelayOutboxOptions,
  environment: Environment,
): RelayedEndpointSettings[] {
  const { endpoints: given, ...others } = options;
  if (given !== undefined) {
    assertEndpoints(options);
    return given.map((own) => ({ options: { ...others, ...own }, environment }));
  }
  const relay = decoded(relaySetting, environment) ?? {};
  if (options.endpoint !== undefined || relay.endpoints === undefined) return [{ options, environment }];
  const names = namesOf(`endpoints of ${relaySetting.variable}`, relay.endpoints);
  return names.map((endpoint) => {
    const own = { ...encoded(endpointSetting, endpoint), ...variablesOfEndpoint(relay, endpoint) };
    return { options, environment: { ...environment, ...own } };
  });
}

/** @throws SagaboxError `Configuration` */
export function assertEndpoints({ endpoint, endpoints }: RelayOutboxOptions): void {
  if (endpoints === undefined) return;
  if (!Array.isArray(endpoints)) {
    throw configurationError('endpoints', `it is ${describeValue(endpoints)}`, 'Give [{ endpoint, … }, …]');
  }
  if (endpoint !== undefined) {
    throw configurationError('endpoints', "the option 'endpoint' is given too", 'Give one of them');
  }
  for (const each of endpoints)
    assertOptionKinds('an endpoint of relayOutbox', each, relayedEndpointChecks, { takerOf });
  namesOf(
    'endpoints',
    endpoints.map(({ endpoint }) => endpoint),
  );
}

function namesOf(setting: string, names: readonly unknown[]): readonly string[] {
  if (names.length === 0) throw configurationError(setting, 'they are none', 'Name one at least');
  return names.map((name, index) => {
    assertKeyName(setting, name);
    if (names.indexOf(name) === index) return name;
    throw configurationError(setting, `'${name}' is named twice`, 'Name each once');
  });
}
