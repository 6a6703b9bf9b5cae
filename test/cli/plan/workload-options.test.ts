import { writeFile } from 'node:fs/promises';
import { describe, expect, it } from '@jest/globals';
import { App, Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { pricesOf, type RegionPrices } from 'sagabox/capacity';
import { OutboxTable, TableCapacity } from 'sagabox/constructs';
import { planCommand } from '../../../lib/cli/plan/plan.ts';
import { readWorkload } from '../../../lib/cli/plan/read-workload.ts';
import { writeAssembly } from '../../support/cloud-assembly.ts';
import { runCommandLine, valuesOf } from '../../support/command-io.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';

const temporary = temporaryDirectory();

async function file(name: string, content: unknown): Promise<string> {
  const path = temporary(name);
  await writeFile(path, JSON.stringify(content));
  return path;
}

async function plan(...args: string[]) {
  const { err, ...others } = await runCommandLine('plan', ...args);
  return { ...others, problems: err.match(/^error: .*$/gm) ?? [] };
}

const read = async (...args: string[]) => await readWorkload(valuesOf(planCommand, args));

describe('the message of a described workload', () => {
  it('may be given by options alone', async () => {
    const workload = await file('rate.json', { messagesPerSecond: 1 });
    expect(await read('--workload', workload, '--outgoing', '2')).toEqual({
      workload: { messagesPerSecond: 1, message: { outgoing: 2 } },
    });
    expect(await read('--messages-per-second', '1')).toEqual({
      workload: { messagesPerSecond: 1, message: {} },
    });
  });

  it('is not made of null by an option', async () => {
    const workload = await file('null.json', { messagesPerSecond: 1, message: null });
    expect(await read('--workload', workload, '--outgoing', '2')).toEqual({
      problems: [`${workload}: message: null is not an object. Use one`],
    });
  });
});

describe('the numbers of options', () => {
  it.each([
    ['2', 2],
    ['0.5', 0.5],
    ['.5', 0.5],
    ['1e3', 1000],
    ['+4', 4],
  ])('are decimal: %s', async (given, messagesPerSecond) => {
    expect(await read('--messages-per-second', given)).toEqual({
      workload: { messagesPerSecond, message: {} },
    });
  });

  it.each(['0x10', '0b1', '0o7', '1_000', '1,5', ' 1', 'Infinity'])('are nothing else: %j', async (given) => {
    expect(await read('--messages-per-second', given)).toEqual({
      problems: [`--messages-per-second: "${given}" is not a number. Use a value from 0.000001 to 10000000`],
    });
  });

  it('are those that the help tells', async () => {
    const conflictRate = planCommand.options.find(({ long }) => long === '--conflict-rate');
    expect(conflictRate?.description).toContain(' 0 to 0.99 ');
    const rate = ['--messages-per-second', '1', '--conflict-rate'];
    expect(await read(...rate, '0.99')).toHaveProperty('workload');
    expect(await read(...rate, '0.991')).toHaveProperty('problems');
  });
});

describe('sagabox plan --prices', () => {
  const flags = ['--messages-per-second', '200', '--saga-size', '1000', '--outgoing', '3'];
  const known = pricesOf('us-east-1');

  it('plans for another region, or with other prices', async () => {
    const path = await file('prices.json', {
      ...known,
      region: 'sa-east-1',
      perMillionWriteRequestUnits: 1.25,
    });
    const priced = [...flags, '--prices', path, '--region', 'sa-east-1'];
    const { exitCode, out } = await plan(...priced, '--compare', '--json');
    expect(exitCode).toBe(0);
    const told = JSON.parse(out[0] ?? '');
    expect(told.prices.region).toBe('sa-east-1');
    expect(told.comparison).toHaveLength(4);
    for (const variant of told.comparison) expect(variant.plan.prices.region).toBe('sa-east-1');
    expect(await plan(...priced, '--html', temporary('prices.html'))).toMatchObject({ exitCode: 0 });
  });

  it('is not needed for the tables of an app that were given theirs', async () => {
    const stack = new Stack(new App(), 'Shop', { env: { region: 'sa-east-1' } });
    const prices = { ...(known as RegionPrices), region: 'sa-east-1' };
    const message = { sagaBytes: 1_000, outgoing: 3 };
    const capacity = TableCapacity.forWorkload({ message, messagesPerSecond: 200 }, { prices });
    new OutboxTable(stack, 'Outbox', { capacity });
    const app = temporary('app');
    await writeAssembly(app, { Shop: Template.fromStack(stack).toJSON() });
    const { exitCode, out } = await plan('--app', app);
    expect([exitCode, out.join('\n')]).toEqual([0, expect.stringContaining('sa-east-1')]);
  });

  it('refuses prices of another region, and what is none, beside the other problems', async () => {
    const path = await file('other.json', { ...known, region: 'sa-east-1' });
    expect((await plan(...flags, '--prices', path, '--region', 'us-east-1')).problems).toEqual([
      'error: --region: "us-east-1" is not known. Use \'sa-east-1\'',
    ]);
    const wrong = await file('wrong.json', { ...known, perReadUnitHour: -1 });
    expect((await plan('--messages-per-second', '0', '--prices', wrong)).problems).toEqual([
      expect.stringContaining(`${wrong}: perReadUnitHour: -1 is out of range. Use a value above 0`),
      expect.stringContaining('--messages-per-second: '),
    ]);
    expect((await plan(...flags, '--prices', temporary('none.json'))).problems).toEqual([
      expect.stringContaining('none.json: it cannot be read'),
    ]);
  });
});
