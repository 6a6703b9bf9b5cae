import { configurationError } from '../../kernel/errors/errors.ts';
import { MIN_INBOX_PERIOD_SECONDS } from '../../outbox/embedded/find-in-item.ts';
import { sagaItemOutbox } from '../../pipeline/outbox/saga-item-outbox.ts';
import type { SagaRules } from '../../saga/definition/define-saga.ts';
import {
  accountIdSetting,
  deduplicationPeriodSetting,
  embeddedOutboxSetting,
} from '../../settings/endpoint.ts';
import { decoded, type Environment, optionOrVariable } from '../../settings/setting.ts';
import type { OutboxParts } from '../outbox-parts.ts';
import { deduplicationSeconds } from '../settings.ts';

/** Makes the outbox in the items of a saga, if its endpoint can have one. */
export const outboxOf: OutboxParts['outboxOf'] = (saga, options, environment, { embedded }) => {
  if (options.outbox === false) {
    const problem = `the saga '${saga.name}' has its outbox in its item`;
    throw configurationError('outbox', problem, 'Leave out outbox: false, or embeddedOutbox() of the saga');
  }
  assertWholeHour(saga, deduplicationSeconds(options, environment));
  if (!options.ports) assertKnownToConstructs(saga, environment);
  if (embedded) return sagaItemOutbox(embedded);
  throw configurationError('ports', "they have no 'embedded', which the saga needs", "Give 'embedded' too");
};

/** Refuses less than an hour: an inbox stores the hour in which a message expires, and nothing finer. */
function assertWholeHour({ name }: SagaRules, seconds: number): void {
  if (seconds >= MIN_INBOX_PERIOD_SECONDS) return;
  throw configurationError(
    optionOrVariable(deduplicationPeriodSetting),
    `${seconds} s is less than the hour that the inbox of the saga '${name}' is exact to`,
    'Use one longer than a message can be delivered again, such as { days: 7 }',
  );
}

/**
 * Refuses a saga that the construct of its endpoint does not know of: the relay would not search the saga
 * table, and never send what a dead function left there. Only the constructs set the variable of the account.
 */
function assertKnownToConstructs({ name }: SagaRules, environment: Environment): void {
  const isDeployed = decoded(accountIdSetting, environment);
  if (!isDeployed || decoded(embeddedOutboxSetting, environment)) return;
  throw configurationError(
    `embeddedOutbox (or ${embeddedOutboxSetting.variable})`,
    `the saga '${name}' has an embedded outbox, and the MessageEndpoint does not say so`,
    'Set embeddedOutbox: true on the MessageEndpoint and deploy it with its OutboxRelay, or leave out ' +
      'embeddedOutbox() of the saga',
  );
}
