import { describe, expect, it } from '@jest/globals';
import { defaults } from '../../lib/compose/defaults.ts';
import { storedAttributes } from '../../lib/dynamodb/stored-attributes.ts';
import { toSeconds } from '../../lib/kernel/duration.ts';
import { errorMessages } from '../../lib/kernel/errors/errors.ts';
import { limits } from '../../lib/kernel/limits.ts';
import { headerNames } from '../../lib/messages/headers.ts';
import { MAX_PACKED_BYTES } from '../../lib/outbox/packing.ts';
import { cosmosLocking, lockingSettings } from '../../lib/saga/definition/locking.ts';
import { deduplicationPeriodSetting } from '../../lib/settings/endpoint.ts';
import { allSettings } from '../support/all-settings.ts';
import { readPage, section, tableRows, written } from '../support/page-tables.ts';
import { costPages, costTableNames, withCostTables } from './cost-tables.ts';
import { withErrors } from './error-page.ts';
import { optionTableNames, withHandlerOptions } from './handler-options.ts';
import { withSettingTable } from './setting-table.ts';

const kilobyte = 1024;
const megabyte = 1024 * kilobyte;

describe('docs/reference/errors.md', () => {
  const page = readPage('reference/errors.md');

  it('is what the docstrings of the errors say: run test/docs/error-page.ts when it is not', () => {
    expect(page).toBe(withErrors(page));
  });

  it('has a section for each code, and for nothing else', () => {
    const sections = [...page.matchAll(/^### `(\w+)`$/gm)].map(([, code = '']) => code);
    expect(sections.toSorted()).toEqual(Object.keys(errorMessages).toSorted());
  });
});

describe('docs/reference/options.md', () => {
  const page = readPage('reference/options.md');
  const rows = tableRows(page);
  const defaultOf = (option: string) => rows.get(option)?.[0];

  it('has the defaults of the code', () => {
    const { immediateRetries, delayedRetries, timeMargins } = defaults;
    const days = toSeconds(defaults.deduplicationPeriod) / 86_400;
    expect(defaultOf('concurrency')).toBe(`\`${defaults.concurrency}\``);
    expect(defaultOf('throwOnFullBatchFailure')).toBe(`\`${defaults.throwOnFullBatchFailure}\``);
    expect(defaultOf('messageFormat')).toBe(`\`'${defaults.messageFormat}'\``);
    expect(defaultOf('deduplicationPeriod')).toContain(`else \`{ days: ${days} }\``);
    for (const [option, values] of [
      ['recoverability.immediateRetries', immediateRetries],
      ['recoverability.delayedRetries', delayedRetries],
      ['timeMargins', timeMargins],
    ] as const) {
      const each = Object.entries(values).map(([name, value]) => `${name}: ${written(value)}`);
      expect([option, defaultOf(option)]).toEqual([option, `\`{ ${each.join(', ')} }\``]);
    }
  });

  it('is what the docstrings of the options say: run test/docs/handler-options.ts when it is not', () => {
    expect(page).toBe(withHandlerOptions(page));
    const shown = [...page.matchAll(/<!-- handler options: (\w+) -->\n\n\|/g)].map(([, name]) => name);
    expect(shown).toEqual(optionTableNames);
  });

  it('has the variables of lib/settings: run test/docs/setting-table.ts when it has not', () => {
    expect(page).toBe(withSettingTable(page));
    const days = toSeconds(defaults.deduplicationPeriod) / 86_400;
    expect(tableRows(page).get(deduplicationPeriodSetting.variable)?.[1]).toBe(`${days} days`);
  });

  it('names the variable of an option, which holds its default', () => {
    const ofOptions = allSettings.filter(({ option }) => option !== undefined);
    expect(ofOptions.length).toBeGreaterThan(10);
    for (const { option = '', variable } of ofOptions) {
      expect([option, defaultOf(option)]).toEqual([option, expect.stringContaining(`\`${variable}\``)]);
    }
  });
});

it('docs/guide/concurrency.md has the defaults of leases', () => {
  const rows = tableRows(section(readPage('guide/concurrency.md'), '## Leases'));
  const written = [...rows].map(([setting, [own, cosmos]]) => [setting, own, cosmos]);
  const own = Object.entries(lockingSettings({ mode: 'pessimistic' })).filter(([name]) =>
    name.endsWith('Ms'),
  );
  expect(own).toHaveLength(4);
  const cosmos = new Map(Object.entries(lockingSettings(cosmosLocking)));
  expect(written).toEqual(
    expect.arrayContaining(
      own.map(([setting, value]) => [
        setting.slice(0, -2),
        timeOf(setting, Number(value)),
        timeOf(setting, Number(cosmos.get(setting))),
      ]),
    ),
  );
});

const timeOf = (setting: string, ms: number) => (setting.startsWith('lease') ? `${ms / 1000} s` : `${ms} ms`);

it('docs/guide/outbox.md has the limits of the code', () => {
  const rows = tableRows(section(readPage('guide/outbox.md'), '## Limits'));
  const {
    messageBytes,
    unknownQueueMessageBytes,
    transactionBytes,
    transactionItems,
    itemBytes,
    sagaItemBytes,
  } = limits;
  expect([...rows.values()].map(([maximum]) => maximum)).toEqual(
    expect.arrayContaining([
      `${messageBytes / megabyte} MiB`,
      `${unknownQueueMessageBytes / 1024} KiB`,
      `${MAX_PACKED_BYTES / megabyte} MiB`,
      `${transactionBytes / megabyte} MB`,
      `${transactionItems}`,
      `${itemBytes / kilobyte} KB`,
      `${sagaItemBytes / kilobyte} KB`,
    ]),
  );
});

describe('docs/reference/stored-data.md', () => {
  const page = readPage('reference/stored-data.md');

  it('lists every message attribute', () => {
    const rows = tableRows(section(page, '## Message attributes'));
    expect([...rows.keys()].sort()).toEqual(Object.values(headerNames).sort());
  });

  it('lists every attribute that is stored', () => {
    const headings = [
      '## Sagas',
      '## Contributions to sagas',
      '## Sagas with an embedded outbox',
      '## Outbox records',
      '## The list of what was not sent',
    ];
    const rows = tableRows(headings.map((heading) => section(page, heading)).join(''));
    expect([...storedAttributes].filter((attribute) => !rows.has(attribute))).toEqual([]);
  });
});

it.each([...costPages])(
  'docs/%s has what the planner computes: run test/docs/cost-tables.ts when it has not',
  (name) => {
    const page = readPage(name);
    expect(page).toMatch(/<!-- costs: \w+ -->\n\n./);
    expect(page).toBe(withCostTables(page));
  },
);

it('the pages of costs have each table', () => {
  const pages = costPages.map((name) => readPage(name)).join('');
  const shown = new Set([...pages.matchAll(/<!-- costs: (\w+) -->/g)].map(([, name = '']) => name));
  expect([...shown].toSorted()).toEqual(costTableNames.toSorted());
});
