import { readFile, writeFile } from 'node:fs/promises';
import { describe, expect, it } from '@jest/globals';
import { pricesOf } from 'sagabox/capacity';
import { parse } from 'yaml';
import { objectOf as objectOfList } from '../../lib/cli/list/result.ts';
import { formatDuration } from '../../lib/cli/option-values.ts';
import { planCommand } from '../../lib/cli/plan/plan.ts';
import { checkDescribed } from '../../lib/cli/plan/read-workload.ts';
import { workloadOptions } from '../../lib/cli/plan/workload-options.ts';
import { objectOf as objectOfRedrive } from '../../lib/cli/redrive/result.ts';
import { objectOf as objectOfRelay } from '../../lib/cli/relay/result.ts';
import { objectOf as objectOfShow } from '../../lib/cli/show/result.ts';
import { runCommandLine, valuesOf } from '../support/command-io.ts';
import { section as sectionOf } from '../support/page-tables.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { commandPage, withOptionTables } from './option-tables.ts';

const page = await readFile(commandPage, 'utf8');

const section = (heading: string) => sectionOf(page, heading);
const yamlIn = (heading: string) => /^```yaml\n([\s\S]*?)^```$/m.exec(section(heading))?.[1] ?? '';

const temporary = temporaryDirectory();

async function plan(args: readonly string[]) {
  const { exitCode, err, out } = await runCommandLine('plan', '--json', ...args);
  return { exitCode, err, plan: exitCode === 0 ? JSON.parse(out.join('\n')) : undefined };
}

async function fileWith(name: string, content: string): Promise<string> {
  const path = temporary(name);
  await writeFile(path, content);
  return path;
}

describe('docs/reference/cli.md tells of the workload', () => {
  it('the options, as their definitions say', async () => {
    expect(page).toBe(await withOptionTables(page));
  });

  it('a file with each of these keys, which is read', async () => {
    const yaml = yamlIn('### The workload file');
    const { message, scale, ...others } = parse(yaml);
    const below = (name: string, values: object) => Object.keys(values).map((key) => `${name}.${key}`);
    const keys = [...Object.keys(others), ...below('message', message), ...below('scale', scale)];
    expect(keys.toSorted()).toEqual(workloadOptions.map(({ key }) => key).toSorted());
    const { exitCode, err } = await plan(['--workload', await fileWith('workload.yaml', yaml)]);
    expect([exitCode, err]).toEqual([0, '']);
  });

  it.each(workloadOptions)('that $long does what its key $key does', ({ key, long, negate, required }) => {
    const all = parse(yamlIn('### The workload file'));
    const [outer = '', inner] = key.split('.');
    const value = required ? (inner === undefined ? all[outer] : all[outer][inner]) : !negate;
    const base = { messagesPerSecond: 50, message: { sagaBytes: 1400, outgoing: 2 }, scale: {} };
    const of = base[outer as 'message'];
    const changed = { ...base, [outer]: inner === undefined ? value : { ...of, [inner]: value } };
    const given = typeof value === 'object' ? formatDuration(value) : String(value);
    const option = [long ?? '', ...(required ? [given] : [])];
    const byOption = checkDescribed(base, undefined, undefined, valuesOf(planCommand, option));
    expect(byOption).toEqual(checkDescribed(changed));
    expect(byOption).toHaveProperty('workload');
  });

  it('a file of prices with all of its keys, which is read', async () => {
    const yaml = yamlIn('### The prices file');
    expect(Object.keys(parse(yaml))).toEqual(Object.keys(pricesOf('us-east-1') ?? {}));
    const prices = await fileWith('prices.yaml', yaml);
    const run = await plan(['--messages-per-second', '10', '--region', 'eu-north-1', '--prices', prices]);
    expect([run.exitCode, run.err]).toEqual([0, '']);
    expect(run.plan.prices).toMatchObject({ region: 'eu-north-1', source: 'our contract' });
  });
});

describe('docs/reference/cli.md tells the keys of --json', () => {
  const problem = 'a problem';
  const failed = [{ messageId: 'm1', code: 'TypeError', message: problem }];
  const capacity = { readUnits: 1, writeUnits: 1 };
  const relayed = { found: 1, dispatched: 0, held: 0, postponed: 0, settled: 0, failed };
  const searched = { complete: false, searchError: undefined, capacity };
  const at = '2026-01-02T03:04:05.678Z';
  const leased = { until: at, reason: 'held' as const };
  const waiting = [{ messageId: 'm2', storedAt: at, operations: 1, destinations: ['billing'], leased }];
  const message = {
    messageId: 'm1',
    messageType: 'Placed',
    code: 'TypeError',
    failedAt: at,
    to: '',
    problem,
  };
  const looked = { leftOut: 0, failedMeanwhile: 0, notLookedAt: 0, interrupted: false, problem };
  const redriven = { moved: [message], failed: [message], ...looked };
  const tables = (heading: string) => [
    ...section(heading).matchAll(/^\| key \| \|\n\|---\|---\|\n((?:\|.*\n)*)/gm),
  ];
  const keysOf = (rows = '') =>
    [...rows.matchAll(/^\|([^|]*)\|/gm)].flatMap(([, cell = '']) => cell.match(/\w+/g) ?? []);
  const keysWritten = (object: object) => Object.keys(JSON.parse(JSON.stringify(object))).toSorted();

  const summary = {
    version: 1,
    stateVersion: 1,
    createdAt: at,
    updatedAt: at,
    lease: { owner: 'o', until: at, hasExpired: false },
    timeouts: [],
  };

  it('of show', () => {
    const [table] = tables('## `sagabox show`');
    const saga = { ...summary, commitId: 'c', itemBytes: 1, isCompressed: false, state: {} };
    const found = { partition: '', saga, lock: summary.lease };
    const records = {
      which: 'pending',
      endpoint: 'orders',
      records: [],
      failures: [],
      complete: true,
    } as const;
    const identity = { name: 'OrderSaga', id: '42' };
    const appended = { key: 'votes', values: [], bytes: 0, complete: true, readUnits: 1 };
    const ofRecords = { ...records, readUnits: 1 };
    const shown = objectOfShow({ identity, found, records: ofRecords, appended, readUnits: 1 });
    expect(keysOf(table?.[1]).toSorted()).toEqual(keysWritten({ ...shown, problem }));
  });

  it('of list', () => {
    const [table] = tables('## `sagabox list`');
    const page = {
      saga: 'OrderSaga',
      sagas: [],
      unreadable: 1,
      isComplete: false,
      nextToken: 't',
      readUnits: 1,
      problem,
    };
    expect(keysOf(table?.[1]).toSorted()).toEqual(keysWritten(objectOfList(page)));
  });

  it('of redrive', () => {
    const [table] = tables('## `sagabox redrive`');
    expect(keysOf(table?.[1]).toSorted()).toEqual(keysWritten(objectOfRedrive(redriven, { from: '' })));
  });

  it('of relay, with --dry-run too', () => {
    const [table, ofDryRun] = tables('## `sagabox relay`');
    const keys = keysOf(table?.[1]);
    const line = objectOfRelay({ ...relayed, ...searched }, 'orders');
    expect(keys.toSorted()).toEqual(keysWritten(line));

    const counts = ['found', 'dispatched', 'held', 'postponed', 'settled', 'failed'];
    const others = keys.filter((key) => !counts.includes(key));
    const dryLine = objectOfRelay({ waiting, failed, ...searched }, 'orders');
    expect([...others, ...keysOf(ofDryRun?.[1])].toSorted()).toEqual(keysWritten(dryLine));
  });
});
