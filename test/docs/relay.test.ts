import { expect, it } from '@jest/globals';
import { toDispatchedItem } from '../../lib/adapters/dynamodb/outbox/outbox-item.ts';
import { formatDollars } from '../../lib/cli/plan/format.ts';
import { relayDefaults } from '../../lib/core/outbox/relay-defaults.ts';
import { itemSize } from '../../lib/core/storage/item-size.ts';
import { RELAY_SHARDS, relayIndex } from '../../lib/core/storage/relay-index.ts';
import { tableDefaults } from '../../lib/core/storage/table-defaults.ts';
import { at } from '../support/commits.ts';
import { readPage, tableRows } from '../support/page-tables.ts';
import { messageCost } from './process-costs.ts';

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
  expect(page).toContain(`${RELAY_SHARDS} x 0.5 RCU`);
  expect(page).toContain(`\`${relayIndex.indexName}\``);
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

it('docs/guide/getting-started.md has what the index costs', () => {
  const tables = (relayIndex: boolean) => messageCost({ outgoing: 1, relayIndex }).tables;
  const perMillion = formatDollars((tables(true) - tables(false)) * 1e6);
  expect(readPage('guide/getting-started.md')).toContain(`costs [${perMillion} for a million messages]`);
});
