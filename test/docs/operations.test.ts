import { readFile } from 'node:fs/promises';
import { describe, expect, it } from '@jest/globals';
import { type FlowEvent, type MessageReport, metricNames } from 'sagabox';
import { MessageEndpoint, MessageScheduler, OutboxRelay } from 'sagabox/constructs';

const page = await readFile(new URL('../../docs/guide/operations.md', import.meta.url), 'utf8');

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

/** The names in the first two cells of the rows under a heading. */
function rowsUnder(heading: string): [string | undefined, string | undefined][] {
  const [, section = ''] = page.split(`### ${heading}\n`);
  const [own = ''] = section.split(/^##/m);
  return [...own.matchAll(/^\| `(\w+)` \| `(\w+)` \|/gm)].map(([, name, metric]) => [name, metric]);
}

describe('docs/guide/operations.md', () => {
  it.each([
    ['How an attempt ends', outcomes],
    ['What happens on the way', events],
  ] as const)('tells under "%s" each name with its metric', (heading, names) => {
    const inCode = Object.keys(names).map((name) => [name, metricNames[name as keyof typeof metricNames]]);
    expect(rowsUnder(heading).toSorted()).toEqual(inCode.toSorted());
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
