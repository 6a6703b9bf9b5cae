import { expect, it } from '@jest/globals';
import { MessageEndpoint, OutboxRelay, OutboxTable } from 'sagabox/constructs';
import { defaults } from '../../lib/compose/defaults.ts';
import { endpointDefaults } from '../../lib/constructs/endpoint/endpoint-rows.ts';
import { VISIBILITY_PER_FUNCTION_TIMEOUT } from '../../lib/constructs/endpoint/endpoint-settings.ts';
import { outboxRelayDefaults } from '../../lib/constructs/relay/outbox-relay-props.ts';
import { longestRun } from '../../lib/constructs/relay/relay-timings.ts';
import { READ_UNIT_BYTES } from '../../lib/dynamodb/capacity-units.ts';
import { itemSize } from '../../lib/dynamodb/item-size.ts';
import { tableDefaults } from '../../lib/dynamodb/table-defaults.ts';
import { toDispatchedItem } from '../../lib/outbox/record-item.dynamodb.ts';
import { delayedRetrySeconds } from '../../lib/recoverability/policy.ts';
import { postponed } from '../../lib/relay/postponement.ts';
import { relayDefaults } from '../../lib/relay/relay-defaults.ts';
import { entry } from '../constructs/endpoint/bundled-endpoint.ts';
import { propertiesOf, unbundledStack } from '../constructs/support.ts';
import { at } from '../support/commits.ts';
import { readPage, section, tableRows } from '../support/page-tables.ts';
import { tablePrices } from './process-costs.ts';

const page = readPage('guide/relay.md');
const rows = tableRows(page);

it('docs/guide/relay.md states the defaults of the code', () => {
  const { olderThan, leaseDuration, concurrency, maxReadUnitsPerSecond, segments } = relayDefaults;
  for (const [option, value] of [
    ['olderThan', `${olderThan.minutes} minutes`],
    ['leaseDuration', `${leaseDuration.minutes} minutes`],
    ['concurrency', concurrency],
    ['maxReadUnitsPerSecond', maxReadUnitsPerSecond],
    ['segments', segments],
  ]) {
    expect([option, rows.get(`${option}`)?.[0]]).toEqual([option, `${value}`]);
  }
  expect(rows.get('strategy')?.[0]).toBe(`that of \`SAGABOX_RELAY\`, else \`'${relayDefaults.strategy}'\``);
});

it('docs/guide/relay.md calculates with the size that a dispatched record has', () => {
  const outbox = {
    table: { ...tableDefaults, tableName: 'outbox' },
    endpoint: 'orders',
    deduplicationPeriodSeconds: 604_800,
  };
  const record = {
    messageId: crypto.randomUUID(),
    dispatched: true,
    storedAt: at,
    operations: [],
    chunkCount: 0,
  };
  const bytes = itemSize(toDispatchedItem(outbox, record, at));
  expect(page).toContain('about 200 bytes');
  expect(Math.abs(bytes - 200)).toBeLessThan(20);
});

it('docs/guide/relay.md says how late a message can be', () => {
  const late = section(page, '## How late a message can be');
  const { every, olderThan } = outboxRelayDefaults;
  const { functionTimeout, maxReceiveCount } = endpointDefaults;
  const visibilitySeconds = VISIBILITY_PER_FUNCTION_TIMEOUT * functionTimeout.toSeconds();
  expect(late).toContain(`| ${visibilitySeconds / 60} minutes, the visibility timeout`);
  expect(late).toContain(`after ${maxReceiveCount} of them`);
  const byStreamMinutes = olderThan.toMinutes() + every.toMinutes();
  expect(late).toContain(`| ${byStreamMinutes} minutes: \`olderThan\` and \`every\` |`);
  expect(readPage('guide/sessions.md')).toContain(`within ${byStreamMinutes} minutes if the relay`);
  const runMinutes = longestRun(every).toMinutes();
  expect(late).toContain(`| ${byStreamMinutes + runMinutes} minutes: \`olderThan\`, \`every\`, and the run`);
  const readMegabytes = (runMinutes * 60 * relayDefaults.maxReadUnitsPerSecond * 2 * READ_UNIT_BYTES) / 1e6;
  expect(late).toContain(`each run reads ${Math.floor(readMegabytes / 10) * 10} MB`);
  const { baseDelay, maxDelay } = defaults.delayedRetries;
  const settings = { baseDelaySeconds: baseDelay.seconds, maxDelaySeconds: maxDelay.minutes * 60 };
  const delays = [1, 2, 3, 4].map((delivery) => delayedRetrySeconds(delivery, settings, 1));
  expect(delays).toHaveLength(maxReceiveCount - 1);
  const together = delays.reduce((sum, delay) => sum + delay, 0);
  expect(late).toContain(`| ${delays.at(-1)} s after its end`);
  expect(late).toContain(`${delays.slice(0, -1).join(', ')} and ${delays.at(-1)} s, ${together} s together`);
  const minuteOld = new Date(at.getTime() - 60_000);
  const waitMs = postponed({ owner: 'a', until: at }, minuteOld, at).until.getTime() - at.getTime();
  const waitOfOldMs = postponed({ owner: 'a', until: at }, new Date(0), at).until.getTime() - at.getTime();
  expect([waitMs, waitOfOldMs]).toEqual([30_000, 86_400_000]);
});

it('docs/guide/relay.md compares the strategies with the prices of docs/guide/cost-and-scale.md', () => {
  const costs = section(readPage('guide/cost-and-scale.md'), '### The relay');
  const [, perMillion] = /^\| \*\*together\*\* \| \*\*\$([\d.]+)\*\* \|$/m.exec(costs) ?? [];
  const [, ofKeysOnly] = /^\| with a `KEYS_ONLY` stream, .* \| \$([\d.]+) \|$/m.exec(costs) ?? [];
  expect(page).toContain(`[$${perMillion} for a million](cost-and-scale.md#the-relay)`);
  expect(page).toContain(`[$${ofKeysOnly} for a million messages](cost-and-scale.md#the-relay)`);
  const messagesADay = 100 * 86_400;
  const scanUnits = (15 * messagesADay * 200) / (2 * READ_UNIT_BYTES);
  const scan = (scanUnits * tablePrices().perMillionReadRequestUnits) / 1e6;
  const stream = (Number(perMillion) * messagesADay) / 1e6;
  expect(page).toContain(`| ${messagesADay.toLocaleString('en')} messages that the watcher sees |`);
  expect(page).toContain(`| $${stream.toFixed(2)} | $${Math.round(96 * scan)} | $${scan.toFixed(2)} |`);
});

it('docs/guide/relay.md makes the mapping of the watcher as the construct does', () => {
  const stack = unbundledStack();
  const outboxTable = new OutboxTable(stack, 'Outbox', { relayStream: true });
  const endpoint = new MessageEndpoint(stack, 'Orders', { entry, outboxTable });
  new OutboxRelay(stack, 'Relay', { endpoints: [endpoint] });
  const ofStream = propertiesOf(stack, 'AWS::Lambda::EventSourceMapping', 'RelayOutboxStream');
  const command = section(page, '## Without the constructs');
  const option = (name: string) => new RegExp(`--${name} '?([^'\\s]+)`).exec(command)?.[1];
  expect(option('starting-position')).toBe(ofStream.StartingPosition);
  expect(Number(option('batch-size'))).toBe(ofStream.BatchSize);
  expect(Number(option('maximum-batching-window-in-seconds'))).toBe(ofStream.MaximumBatchingWindowInSeconds);
  expect(JSON.parse(option('filter-criteria') ?? '')).toEqual(ofStream.FilterCriteria);
});
