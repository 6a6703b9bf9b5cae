import { describe, expect, it } from '@jest/globals';
import { type FlowEvent, type MessageReport, metricNames } from 'sagabox';
import { MessageEndpoint, MessageScheduler, OutboxRelay } from 'sagabox/constructs';
import { readPage, section, tableRows } from '../support/page-tables.ts';

const page = readPage('guide/operations.md');

/** What each attempt and each event is called: one that is new must be told here, and in the page. */
const outcomes: Record<MessageReport['outcome'], true> = {
  handled: true,
  duplicate: true,
  redispatched: true,
  discarded: true,
  failed: true,
};
const events: Record<FlowEvent['type'], true> = {
  conflict: true,
  lockWait: true,
  bodyMismatch: true,
  retry: true,
};

describe('docs/guide/operations.md', () => {
  it.each([
    ['How an attempt ends', outcomes],
    ['What happens on the way', events],
  ] as const)('tells under "%s" each name with its metric', (heading, names) => {
    const inCode = Object.keys(names).map((name) => [name, metricNames[name as keyof typeof metricNames]]);
    const rows = [...tableRows(section(page, `### ${heading}`))].map(([name, [metric]]) => [
      name,
      metric?.replaceAll('`', ''),
    ]);
    expect(rows.toSorted()).toEqual(inCode.toSorted());
  });

  it('tells every metric', () => {
    expect(Object.values(metricNames).filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
  });

  it('tells every metric of the constructs', () => {
    const metrics = [MessageEndpoint, MessageScheduler, OutboxRelay].flatMap(({ prototype }) =>
      Object.getOwnPropertyNames(prototype).filter((name) => name.startsWith('metric')),
    );
    expect(metrics).toContain('metricWaitingMessages');
    expect(metrics.filter((name) => !page.includes(name))).toEqual([]);
  });

  it('tells what to do about each alarm', () => {
    const [, alarms = ''] = page.split('## Alarms\n');
    const [table = '', runbook = ''] = alarms.split('## What to do\n');
    const rows = [...table.matchAll(/^\| (?!alarm )([a-z][^|]+) \| /gm)].map(([, names = '']) =>
      names.split(', '),
    );
    expect(rows.flat().length).toBeGreaterThan(8);
    const headings = (runbook.match(/^### .*$/gm) ?? []).join('\n').toLowerCase();
    const words = rows.flat().map((name) => name.split(' ').at(-1) ?? '');
    expect(words.filter((word) => !headings.includes(word))).toEqual([]);
  });
});
