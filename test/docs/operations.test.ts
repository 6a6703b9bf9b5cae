import { describe, expect, it } from '@jest/globals';
import { type FlowEvent, type MessageReport, metricNames } from 'sagabox';
import { MessageEndpoint, MessageScheduler, OutboxRelay } from 'sagabox/constructs';
import type { AlarmRow } from '../../lib/constructs/monitoring/alarm-row.ts';
import { alarmSettingsChecks } from '../../lib/constructs/monitoring/alarm-settings.ts';
import { alarmRows } from '../../lib/constructs/monitoring/endpoint-alarm-rows.ts';
import { readPage, section, tableRows } from '../support/page-tables.ts';
import { readSources } from '../support/source-files.ts';

const page = readPage('guide/operations.md');

/** What each attempt and each event is called: one that is new must be told here, and in the page. */
const outcomes: Record<MessageReport['outcome'], true> = {
  handled: true,
  duplicate: true,
  redispatched: true,
  discarded: true,
  leftToRelay: true,
  failed: true,
};
const events: Record<FlowEvent['type'], true> = {
  conflict: true,
  lockWait: true,
  bodyMismatch: true,
  retry: true,
};

const periodsOfRuns: Readonly<Record<string, string>> = {
  relayStopped: '`every` of the relay',
  undispatched: '`every` of the relay, at least 15 min',
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

  it('lists each line that is logged, with its level', () => {
    const rows = section(page, '### The lines').matchAll(/^\| `(.+?)` \| (\w+) \|/gm);
    const listed = [...rows].map(([, line, level]) => [line, level]);
    expect(listed.toSorted()).toEqual(loggedLines().toSorted());
  });

  it('tells every metric', () => {
    expect(Object.values(metricNames).filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
  });

  it('tells every metric of the constructs', () => {
    const metrics = [MessageEndpoint, MessageScheduler, OutboxRelay].flatMap(({ prototype }) =>
      [prototype, Object.getPrototypeOf(prototype)]
        .flatMap(Object.getOwnPropertyNames)
        .filter((name) => name.startsWith('metric')),
    );
    expect(metrics).toContain('metricWaitingMessages');
    expect(metrics.filter((name) => !page.includes(name))).toEqual([]);
  });

  it('lists each alarm with its defaults', () => {
    const [, table = ''] = page.split('\n## Alarms\n');
    const lines = [...table.matchAll(/^\| \[`(\w+)`\]\(#([^)]+)\) \|(.*)\|$/gm)];
    const rows = lines.map(([, name = '', runbook, cells = '']) => {
      const [raisedWhen, threshold, datapoints, severity, needs] = cells
        .split(' | ')
        .map((cell) => cell.trim());
      expect(raisedWhen).toMatch(/\w/);
      return [name, { runbook, threshold, datapoints, severity, needs }];
    });
    const alarms = Object.entries<AlarmRow<never>>(alarmRows);
    const inCode = alarms.map(([name, { runbook, severity, needs = '', ...row }]) => {
      const unit = ['%', 's', 'ms'].includes(row.unit) ? ` ${row.unit}` : '';
      const threshold = `${row.threshold.toLocaleString('en')}${unit}`;
      const period = periodsOfRuns[name] ?? `${row.periodMinutes} min`;
      expect(row.periodOf === undefined).toBe(periodsOfRuns[name] === undefined);
      const datapoints = `${row.datapointsToAlarm} of ${row.evaluationPeriods}, ${period}`;
      return [name, { runbook: anchorOf(runbook), threshold, datapoints, severity, needs }];
    });
    expect(rows).toEqual(inCode);
  });

  it('tells what to do about each alarm: cause, check and fix', () => {
    const [, runbook = ''] = page.split('\n## What to do\n');
    const sections = new Map(
      runbook
        .split(/^### /m)
        .slice(1)
        .map((text) => [text.slice(0, text.indexOf('\n')).replaceAll('`', ''), text]),
    );
    for (const row of Object.values(alarmRows)) {
      for (const part of ['- **Cause.**', '- **Check**', '- **Fix**']) {
        expect(sections.get(row.runbook)).toContain(part);
      }
    }
    const linked = new Set<string>(Object.values(alarmRows).map((row) => row.runbook));
    expect([...sections.keys()].filter((heading) => !linked.has(heading))).toEqual([]);
  });

  it('lists every setting of an alarm', () => {
    const [, alarms = ''] = page.split('\n## Alarms\n');
    expect(Object.keys(alarmSettingsChecks).filter((name) => !alarms.includes(`\`${name}\``))).toEqual([]);
  });
});

/** As GitHub makes anchors of headings. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\w\s-]/g, '')
    .replaceAll(' ', '-');
}

/** What the runtime gives to a logger, up to what a value fills in. */
function loggedLines(): string[][] {
  const loggers =
    /[lL]ogger(?:\[level\]|\??\.(debug|info|warn|error)\??\.?)\(\s*(?:(['"`])(.+?)\2|message),/g;
  const outcomes = /#write\('(\w+)', failure, '(.+?)'/g;
  const ofLeases = /\bwarn\([\w.#]+, identity, '(.+?)'/g;
  const lines = readSources('lib')
    .filter(({ path }) => !/^lib\/(cli|local|testing|constructs|patterns)\//.test(path))
    .flatMap(({ code }) => {
      // Each call is of a form that is found here.
      expect(code.match(/[lL]ogger\??\.(?:debug|info|warn|error)\??\.?\(/g)?.length ?? 0).toBe(
        [...code.matchAll(loggers)].filter(([, level]) => level !== undefined).length,
      );
      return [
        ...[...code.matchAll(loggers)].map(([, level, , text]) => [text, level]),
        ...[...code.matchAll(outcomes)].map(([, level, text]) => [`A message ${text}`, level]),
        ...[...code.matchAll(ofLeases)].map(([, text]) => [text, 'warn']),
      ];
    });
  const told = lines.filter(([text]) => text !== undefined && !text.startsWith('A message $')) as string[][];
  const unique = new Map(told.map(([text = '', level = '']) => [text.replace(/\$\{.*$/, '…'), level]));
  return [...unique];
}
