import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { limitsOf, planWorkload } from 'sagabox/capacity';
import { writeAssembly } from '../../support/cloud-assembly.ts';
import { runCommandLine } from '../../support/command-io.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';
import { elementsOf, parseXml, textOf } from '../../support/xml.ts';

const flags = '--messages-per-second 200 --saga-size 1000 --outgoing 3 --message-size 500'.split(' ');
const workload = {
  messagesPerSecond: 200,
  message: { sagaBytes: 1000, outgoing: 3, messageBytes: 500 },
};

const temporary = temporaryDirectory();
beforeAll(() => {
  // The tests may themselves be run in a terminal.
  process.env.NO_COLOR = '1';
});

const plan = (...args: string[]) => runCommandLine('plan', ...args);

async function planned(...args: string[]) {
  const { exitCode, out, err } = await plan(...args, '--json');
  expect([exitCode, err, out.length]).toEqual([0, '', 1]);
  return JSON.parse(out[0] ?? '');
}

async function file(name: string, content: unknown): Promise<string> {
  const path = temporary(name);
  await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

describe('sagabox plan', () => {
  it('--json tells units of a message, what to provision, the cost, and all the rest of the plan', async () => {
    const { provisioned, workload: told, outboxForm: _form, limits, ...others } = await planned(...flags);
    expect(limits).toEqual(limitsOf(workload));
    expect(others).toEqual(JSON.parse(JSON.stringify(planWorkload(workload))));
    expect(others.perMessage).toEqual({ rcu: 2, wcu: 5, calls: 4 });
    expect(provisioned).toEqual({
      saga: expect.objectContaining({ write: { minCapacity: 572, maxCapacity: 572 } }),
      outbox: expect.objectContaining({ write: { minCapacity: 858, maxCapacity: 858 } }),
    });
    expect(told).toEqual(workload);
  });

  it('writes tables for people, 80 characters wide at most', async () => {
    const { exitCode, out } = await plan(...flags, '--compare');
    expect(exitCode).toBe(0);
    expect(Math.max(...out.map((line) => line.length))).toBeLessThanOrEqual(80);
    const text = out.join('\n');
    expect(text).toMatch(/^ {2}commit +TransactWriteItems +saga +1 +1 +0 +2$/m);
    expect(text).toMatch(/^ {2}total +4 +2 +5$/m);
    expect(text).toMatch(/^ {2}outbox table +286 +286 +858 +858 +70 %$/m);
    expect(text).toContain('The outbox keeps 259,200,000 records');
    expect(text).not.toMatch(/NaN|undefined|Infinity/);
  });

  it('shows where the units go in characters, and in nothing but them where no colours are wanted', async () => {
    const { out } = await plan(...flags);
    expect(out).toContain(`  WCU 5 [${'#'.repeat(46)}${'='.repeat(12)}]`);
    expect(out).toContain('  . dedup check   - load or lock   # commit   = mark');
    expect(out.join()).not.toContain('\u001b');
  });

  it('takes a file, and options before it', async () => {
    const path = await file('workload.json', workload);
    expect((await planned('--workload', path)).workload).toEqual(workload);
    const changed = await planned('--workload', path, '--outgoing', '0', '--region', 'eu-west-1');
    expect(changed.workload).toEqual({
      ...workload,
      region: 'eu-west-1',
      message: { ...workload.message, outgoing: 0 },
    });
  });
});

describe('the form of the outbox that sagabox plan recommends', () => {
  const saga = [...flags, '--saga-compression-ratio', '0.6'];

  it.each([
    [
      '',
      'embedded',
      4,
      'with 10 live ids in a saga of 1,000 B, a message takes 4 WCU and 0.5 RCU instead of 5',
    ],
    ['--live-ids 80', 'records', 6, 'the whole inbox, here 80 live ids'],
    ['--outgoing 1', 'embedded', 2, 'a message takes 2 WCU and 0.5 RCU instead of 5'],
    ['--live-ids 300', 'records', 13, 'at 256 live ids the inbox is full'],
    ['--saga-change none', 'records', 4, 'a message that only reads would write the item'],
    ['--saga-size 20000 --outgoing 1 --compression-ratio 2', 'embedded', 26, 'in a saga of 20,000 B'],
  ])('is, with its figures and the reason: %s', async (options, recommended, wcu, reason) => {
    const args = [...saga, ...options.split(' ').filter(Boolean)];
    const { outboxForm } = await planned(...args);
    expect(outboxForm).toMatchObject({ recommended, reason: expect.stringContaining(reason) });
    expect(outboxForm.embedded).toMatchObject({ layout: 'embedded', plan: { perMessage: { wcu } } });
    expect(outboxForm.records).toMatchObject({
      layout: 'records',
      plan: { perMessage: { wcu: expect.any(Number) } },
    });
    const text = (await plan(...args)).out.join(' ');
    expect(text).toMatch(/By the form of the outbox +records +embedded /);
    expect(text).toContain(`Recommended: ${recommended}, as `);
  });

  it('is told of an app that has an embedded outbox already', async () => {
    const { perMessage, outboxForm } = await planned(...saga, '--layout', 'embedded');
    expect(perMessage).toEqual(outboxForm.embedded.plan.perMessage);
  });

  it('is records where an embedded outbox cannot keep the saga', async () => {
    const args = ['--messages-per-second', '1', '--saga-size', '408576', '--locking', 'optimistic'];
    const { outboxForm } = await planned(...args);
    expect(outboxForm).toMatchObject({ recommended: 'records', embedded: { problem: expect.any(String) } });
    expect(outboxForm.reason).toMatch(/^embedded, it goes over a limit: /);
  });

  it.each([['--saga-size 0'], ['--saga-size 1000 --no-outbox']])('is left out: %s', async (options) => {
    const result = await planned('--messages-per-second', '1', ...options.split(' '));
    expect(result.outboxForm).toBeUndefined();
  });
});

describe('sagabox plan --compare', () => {
  it('shows the figures side by side', async () => {
    const { comparison } = await planned(...flags, '--compare');
    const embedded = planWorkload({ ...workload, message: { ...workload.message, layout: 'embedded' } });
    expect(comparison[2].plan.perMessage).toEqual(JSON.parse(JSON.stringify(embedded.perMessage)));
    const { out } = await plan(...flags, '--compare');
    expect(out.join('\n')).toMatch(/^ {2}new message: WCU +5 +9 +4 +6$/m);
    expect(out.join('\n')).toMatch(/^ {2}against the first +\+\d+(\.\d+)? % +-\d/m);
  });

  it.each([
    ['--saga-size 9', 'records optimistic, records pessimistic, embedded optimistic, embedded pessimistic'],
    ['--saga-size 9 --no-outbox', 'records optimistic, records pessimistic'],
    ['--saga-size 0', 'records optimistic'],
    ['--saga-size 9 --locking eventual --no-outbox', 'records eventual, records pessimistic'],
  ])('sets layouts and modes beside one another, where they make a difference: %s', async (options, sets) => {
    const args = ['--messages-per-second', '1', ...options.split(' '), '--compare'];
    const { comparison } = await planned(...args);
    const compared = comparison.map(({ layout, locking }: Record<string, string>) => `${layout} ${locking}`);
    expect(compared.join(', ')).toBe(sets);
  });

  it('tells when a layout cannot take the messages', async () => {
    const args = ['--messages-per-second', '1', '--saga-size', '408576', '--compare'];
    const { exitCode, out } = await plan(...args);
    expect(exitCode).toBe(0);
    expect(out.join('\n')).toMatch(/^ {2}new message: WCU +[\d,]+ +[\d,]+ +- +-$/m);
    expect(out.join(' ')).toMatch(/embedded, optimistic: it goes over a limit: /);
  });
});

describe('sagabox plan --html', () => {
  it('writes one page that needs nothing else, with charts and their figures', async () => {
    const path = temporary('plan.html');
    const { exitCode, err } = await plan(...flags, '--compare', '--html', path);
    expect([exitCode, err]).toEqual([0, `The page is ${path}.`]);
    const html = await readFile(path, 'utf8');
    expect(html).toMatch(/^<!DOCTYPE html>\n<html lang="en">/);
    expect(html.replaceAll('http://www.w3.org/2000/svg', '')).not.toMatch(
      /https?:|\/\/\w|<script|<link|<img|<iframe|\bsrc=|\bhref=|url\(|@import/,
    );
    expect(html).not.toMatch(/NaN|undefined|Infinity/);
    const page = parseXml(html);
    const charts = elementsOf(page, 'svg');
    expect(charts.flatMap((chart) => elementsOf(chart, 'title').slice(0, 1)).map(textOf)).toEqual([
      'Units of one new message, by step',
      'Write units of one new message, by outgoing messages',
      'Cost of the tables a month, by utilisation of provisioned capacity',
    ]);
    const captions = elementsOf(page, 'caption').map(textOf);
    for (const chart of charts) {
      expect(chart.attributes.role).toBe('img');
      expect(captions).toContain(textOf(elementsOf(chart, 'title')[0] ?? page));
    }
    const ids = [...html.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('ends with 1 when the page cannot be written, with the plan all the same', async () => {
    const { exitCode, out, err } = await plan(...flags, '--html', temporary('none', 'plan.html'));
    expect([exitCode, out.length > 0]).toEqual([1, true]);
    expect(err).toContain('The page could not be written: ENOENT');
  });
});

const table = (path: string, metadata: object) => ({
  Type: 'AWS::DynamoDB::Table',
  Metadata: { 'aws:cdk:path': path, ...metadata },
});

describe('sagabox plan --app', () => {
  const units = { rcu: 1, wcu: 2 };
  const range = { minCapacity: 1, maxCapacity: 2 };
  const tablePlan = {
    table: 'outbox',
    messagesPerSecond: 200,
    peakMessagesPerSecond: 200,
    perMessage: units,
    average: units,
    peak: units,
    provisioned: { read: range, write: range, targetUtilizationPercent: 70 },
    onDemand: units,
    monthlyCost: { onDemand: 3, provisioned: 4 },
    prices: { region: 'us-east-1', asOf: '2025-06', source: 'a list' },
  };
  const metadata = { 'sagabox:workload': [workload], 'sagabox:plan': tablePlan };

  it('takes the figures as the template has them, of tables alone', async () => {
    const app = temporary('app');
    const resources = {
      Outbox: table('Shop/Outbox\u001b[2J/Resource', metadata),
      Other: { Type: 'AWS::DynamoDB::Table' },
      Queue: { Type: 'AWS::SQS::Queue', Metadata: metadata },
    };
    const both = { Type: 'AWS::DynamoDB::GlobalTable', Metadata: metadata };
    await writeAssembly(app, { Shop: { Resources: resources }, Test: { Resources: { Both: both } } });
    const { tables, total } = await planned('--app', app);
    expect(tables).toMatchObject([tablePlan, { ...tablePlan, name: 'Test/Both' }]);
    expect(total).toEqual({
      average: { rcu: 2, wcu: 4 },
      peak: { rcu: 2, wcu: 4 },
      provisioned: { read: { minCapacity: 2, maxCapacity: 4 }, write: { minCapacity: 2, maxCapacity: 4 } },
      onDemand: { rcu: 2, wcu: 4 },
      monthlyCost: { onDemand: 6, provisioned: 8 },
    });
    expect((await plan('--app', app)).out).toContain('Shop/Outbox\\u001b[2J');
  });

  it('tells what is wrong with each table: its workloads, and a plan that is missing or not understood', async () => {
    const app = temporary('wrong');
    const { monthlyCost: _, ...partOfPlan } = tablePlan;
    const Resources = {
      A: table('A', { ...metadata, 'sagabox:workload': [{ ...workload, messagesPerSecond: 'many' }] }),
      B: table('B', { ...metadata, 'sagabox:workload': [workload, { ...workload, speed: 7 }] }),
      C: table('C', { 'sagabox:workload': [workload] }),
      D: table('D', { ...metadata, 'sagabox:plan': partOfPlan }),
      E: table('E', { ...metadata, 'sagabox:plan': { ...tablePlan, table: 'desk' } }),
      F: table('F', { 'sagabox:plan': tablePlan }),
      G: table('G', metadata),
    };
    await writeAssembly(app, { Shop: { Resources } });
    const { exitCode, out, err } = await plan('--app', app);
    expect([exitCode, out]).toEqual([2, []]);
    expect(err.match(/^error: .*$/gm)).toEqual([
      expect.stringContaining(`${app}: A: messagesPerSecond: `),
      expect.stringContaining(`${app}: B (workload 2 of 2): speed: there is no such setting`),
      expect.stringContaining(`${app}: C: it has a workload, but no plan`),
      expect.stringContaining(`${app}: D: the metadata sagabox:plan is not understood`),
      expect.stringContaining(`${app}: E: the metadata sagabox:plan is not understood`),
      expect.stringContaining(`${app}: F: it has a plan, but no workload`),
    ]);
  });

  it.each([
    ['--compare'],
    ['--html', 'x.html'],
    ['--outgoing', '5'],
    ['--workload', 'x.json'],
    ['--no-outbox'],
  ])('goes with no option that plans something else than what is deployed: %s', async (...option) => {
    const { exitCode, err } = await plan('--app', temporary('nowhere'), '--json', ...option);
    expect([exitCode, err]).toEqual([2, expect.stringContaining(`cannot be used with option '${option[0]}`)]);
  });

  it('refuses a folder that is none, holds no assembly, no workload, or something else', async () => {
    const [empty, bare, broken] = [temporary('empty'), temporary('bare'), temporary('broken')];
    await mkdir(empty, { recursive: true });
    await writeAssembly(bare, { Shop: { Resources: { Table: { Type: 'AWS::DynamoDB::Table' } } } });
    await writeAssembly(broken, { Shop: '{' });
    const told = [];
    for (const path of [temporary('nowhere'), empty, bare, broken]) {
      const { exitCode, err } = await plan('--app', path);
      told.push([exitCode, err]);
    }
    expect(told).toEqual([
      [2, expect.stringMatching(/nowhere: it holds no cloud assembly that can be read: .*ENOENT/)],
      [2, expect.stringContaining("Give the output folder of 'cdk synth'")],
      [2, expect.stringContaining('TableCapacity.forWorkload')],
      [2, expect.stringMatching(/broken: .* Shop\.template\.json: .*position 1/)],
    ]);
  });
});

describe('what sagabox plan refuses', () => {
  it('is told with every problem, each by its option', async () => {
    const { exitCode, out, err } = await plan(
      ...['--messages-per-second', '0', '--saga-size', '-5', '--outgoing', 'NaN', '--message-size', '1e99'],
      ...['--locking', 'hopeful', '--region', 'mars'],
    );
    expect([exitCode, out]).toEqual([2, []]);
    const options = ['saga-size', 'locking', 'outgoing', 'message-size', 'messages-per-second', 'region'];
    expect(err.split('\n')).toEqual([
      ...options.map((option) =>
        expect.stringMatching(
          `^error: --${option}: .* (is out of range|is not a number|is not known)\\. Use `,
        ),
      ),
      "'sagabox plan --help' lists the options.",
    ]);
  });

  it('is told of a file by its paths: unknown keys and wrong types', async () => {
    const path = await file('wrong.json', {
      messagesPerSecond: '200',
      speed: 3,
      message: { sagaSize: 3, outbox: 'yes', outgoing: -1 },
    });
    const { exitCode, err } = await plan('--workload', path, '--batch-size', '0');
    expect(exitCode).toBe(2);
    const keys = ['messagesPerSecond', 'speed', 'message.sagaSize', 'message.outbox', 'message.outgoing'];
    for (const key of keys) expect(err).toContain(`${path}: ${key}: `);
    expect(err).toContain('--batch-size: ');
  });

  it.each([
    ['list.json', '[1]', '[1] is not an object'],
    ['empty.yaml', '', 'null is not an object'],
  ])('is a file that holds something else: %s', async (name, content, problem) => {
    const path = await file(name, content);
    const { exitCode, err } = await plan('--workload', path, '--outgoing', '-1');
    expect([exitCode, err]).toEqual([2, expect.stringContaining(`${path}: ${problem}`)]);
  });

  it('is a file that is not there, beside the other problems', async () => {
    const { exitCode, err } = await plan('--workload', temporary('none.yaml'), '--outgoing', '-1');
    expect(exitCode).toBe(2);
    expect(err).toMatch(/none\.yaml: it cannot be read: .*ENOENT[\s\S]*--outgoing: /);
    expect(err).not.toContain('--messages-per-second');
  });

  it('is a command line without a rate', async () => {
    expect(await plan('--saga-size', '1000')).toMatchObject({
      exitCode: 2,
      err: expect.stringContaining('--messages-per-second: '),
    });
  });
});
