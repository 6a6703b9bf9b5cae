import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { planWorkload, pricesOf, regions } from 'sagabox/capacity';
import { type PriceRow, priceList, priceRows } from '../../lib/capacity/region-prices.ts';
import { repository } from '../support/source-files.ts';
import { isCommercial, type PriceListFile, priceRow } from './price-list.ts';

/** The products and terms of a file: a row for each, with its tiers from a number of units on. */
function file(
  ...rows: readonly [family: string, attributes: Record<string, string>, tiers: Record<string, number>][]
): PriceListFile {
  const entries = rows.map(([productFamily, attributes, tiers], sku) => ({
    product: [`SKU${sku}`, { productFamily, attributes }] as const,
    term: [
      `SKU${sku}`,
      {
        term: {
          priceDimensions: Object.fromEntries(
            Object.entries(tiers).map(([beginRange, usd]) => [
              `${sku}.${beginRange}`,
              { beginRange, pricePerUnit: { USD: usd.toFixed(12) } },
            ]),
          ),
        },
      },
    ] as const,
  }));
  return {
    publicationDate: '2026-11-20T01:02:03Z',
    products: Object.fromEntries(entries.map(({ product }) => product)),
    terms: { OnDemand: Object.fromEntries(entries.map(({ term }) => term)) },
  };
}

const units = 'Amazon DynamoDB PayPerRequest Throughput';
const filesOf = ([read, write, readHour, writeHour, storage, queue = 0.4]: PriceRow) => ({
  AmazonDynamoDB: file(
    [units, { group: 'DDB-ReadUnitsIA' }, { 0: 9 }],
    [units, { group: 'DDB-ReadUnits' }, { 0: read / 1e6 }],
    [units, { group: 'DDB-WriteUnits' }, { 0: write / 1e6 }],
    ['Provisioned IOPS', { group: 'DDB-ReadUnits' }, { 0: 0, 18600: readHour }],
    ['Provisioned IOPS', { group: 'DDB-WriteUnits' }, { 18600: writeHour, 0: 0 }],
    ['Database Storage', { volumeType: 'Amazon DynamoDB - Indexed DataStore' }, { 25: storage, 0: 0 }],
    ['Database Storage', { volumeType: 'Amazon DynamoDB - Indexed DataStore - IA' }, { 0: 9 }],
  ),
  AWSQueueService: file(
    [
      'API Request',
      { group: 'SQS-APIRequest-Tier1', queueType: 'Standard' },
      { 100000000000: queue / 2e6, 0: queue / 1e6 },
    ],
    ['API Request', { group: 'SQS-APIRequest-Tier1', queueType: 'FIFO (first-in, first-out)' }, { 0: 9 }],
  ),
});

describe('the prices', () => {
  it('are those of all 34 commercial regions of the list', () => {
    expect(regions).toHaveLength(34);
    expect(regions.filter((region) => !isCommercial(region))).toEqual([]);
    expect(new Set(regions).size).toBe(regions.length);
  });

  it.each(Object.entries(priceRows))('of %s have the proportions of the list', (region, row) => {
    const [read, write, readHour, writeHour, storage] = row;
    expect(write / read).toBeCloseTo(5, 0);
    expect(writeHour / readHour).toBeCloseTo(5, 1);
    expect(read / readHour).toBeGreaterThan(930);
    expect(read / readHour).toBeLessThan(980);
    expect(storage / writeHour).toBeGreaterThan(380);
    expect(storage / writeHour).toBeLessThan(390);
    expect(planWorkload({ message: { outgoing: 1 }, messagesPerSecond: 1, region }).prices).toMatchObject({
      region,
      ...priceList,
    });
  });

  it.each([
    ['us-east-1', 'no estimate'],
    ['eu-south-1', 'an estimate'],
  ])('of %s have for queues %s', (region, price) => {
    const estimated = price === 'an estimate' ? true : undefined;
    expect(pricesOf(region)?.estimatedQueuePrice).toBe(estimated);
    const { prices } = planWorkload({ message: { outgoing: 1 }, messagesPerSecond: 1, region });
    expect(prices.estimatedQueuePrice).toBe(estimated);
  });
});

it('the guide has each known price of queue requests, and no other', async () => {
  const guide = await readFile(join(repository, 'docs/reference/capacity.md'), 'utf8');
  const [, table = ''] = guide.split('| USD a million | regions |');
  const rows = table.matchAll(/^\| (0\.\d+) \| (.+) \|$/gm);
  const told = [...rows].flatMap(([, price, names = '']) =>
    names.split(', ').map((region) => [region, Number(price)]),
  );
  const known = regions.flatMap((region) => {
    const queue = priceRows[region]?.[5];
    return queue === undefined ? [] : [[region, queue]];
  });
  expect(Object.fromEntries(told)).toEqual(Object.fromEntries(known));
});

describe('a file of the price list', () => {
  const row: PriceRow = [0.1415, 0.705, 0.000147, 0.000735, 0.283, 0.4];

  it('has each price once, behind its free tier', () => {
    const { AmazonDynamoDB, AWSQueueService } = filesOf(row);
    expect(priceRow(AmazonDynamoDB, AWSQueueService)).toEqual(row);
  });

  it('is refused when a price is there twice, or not at all', () => {
    const { AmazonDynamoDB, AWSQueueService } = filesOf(row);
    expect(() => priceRow(file(), AWSQueueService)).toThrow(/^0 products are .*DDB-ReadUnits/);
    const twice = file(
      ['API Request', { group: 'SQS-APIRequest-Tier1', queueType: 'Standard' }, { 0: 1 }],
      ['API Request', { group: 'SQS-APIRequest-Tier1', queueType: 'Standard' }, { 0: 2 }],
    );
    expect(() => priceRow(AmazonDynamoDB, twice)).toThrow(/^2 products are/);
  });
});

describe('npm run prices', () => {
  let folder = '';
  const path = (...names: string[]) => join(folder, 'offers/v1.0/aws', ...names);
  const write = async (name: string, content: unknown) => {
    await mkdir(dirname(name), { recursive: true });
    await writeFile(name, JSON.stringify(content));
  };
  const writeRegion = async (region: string, row: PriceRow) => {
    for (const [service, content] of Object.entries(filesOf(row)))
      await write(path(service, 'current', region, 'index.json'), content);
  };
  const run = () =>
    promisify(execFile)(process.execPath, [
      '--conditions=sagabox-source',
      join(repository, 'test/prices/check-prices.ts'),
      '--from',
      folder,
    ]).catch((failed: { stdout: string; code: number }) => failed);

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'price-list-'));
    const listed = [...regions, 'us-gov-west-1'].map((region) => [region, {}]);
    await write(path('AmazonDynamoDB', 'current', 'region_index.json'), {
      regions: Object.fromEntries(listed),
    });
    for (const region of regions) await writeRegion(region, priceRows[region] as PriceRow);
  });
  afterAll(async () => await rm(folder, { recursive: true }));

  it('prints the rows that differ from the list, and fails', async () => {
    await writeRegion('eu-west-1', [0.2, 1, 0.0002, 0.001, 0.4, 0.5]);
    const { stdout, code } = (await run()) as { stdout: string; code?: number };
    expect(code).toBe(1);
    const lines = stdout.trim().split('\n');
    expect(lines).toContain("  'eu-west-1': [0.2, 1, 0.0002, 0.001, 0.4, 0.5],");
    // Where the price of the queue is an estimate, the list has it.
    expect(lines).toContain("  'eu-south-1': [0.1485, 0.74, 0.00015435, 0.00077175, 0.29715, 0.4],");
    expect(stdout).not.toContain("'eu-central-1'");
    const estimates = Object.values(priceRows).filter(([, , , , , queue]) => queue === undefined).length;
    expect(lines.at(-1)).toBe(
      `The list is of 2026-11-20, lib/capacity/region-prices.ts of ${priceList.asOf}: ${estimates + 1} of 34 regions differ`,
    );
  });
});
