import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { priceList, priceRows } from '../../lib/capacity/region-prices.ts';
import { differingRows, isCommercial, type PriceListFile, priceRow } from './price-list.ts';

const publicList = 'https://pricing.us-east-1.amazonaws.com';
const { values } = parseArgs({ options: { from: { type: 'string', default: publicList } } });

/** A file of the price list, or of a folder that has the same files. */
async function read(path: string): Promise<unknown> {
  if (!values.from.startsWith('https:')) return JSON.parse(await readFile(join(values.from, path), 'utf8'));
  const response = await fetch(`${values.from}/${path}`);
  if (!response.ok) throw new Error(`${path}: ${response.status}`);
  return await response.json();
}

const offers = 'offers/v1.0/aws';
const index = (await read(`${offers}/AmazonDynamoDB/current/region_index.json`)) as {
  readonly regions: Readonly<Record<string, unknown>>;
};
const listed: Record<string, ReturnType<typeof priceRow>> = {};
let publicationDate = '';
for (const region of Object.keys(index.regions).filter(isCommercial)) {
  const ofService = async (service: string) =>
    (await read(`${offers}/${service}/current/${region}/index.json`)) as PriceListFile;
  const dynamoDB = await ofService('AmazonDynamoDB');
  listed[region] = priceRow(dynamoDB, await ofService('AWSQueueService'));
  if (dynamoDB.publicationDate > publicationDate) ({ publicationDate } = dynamoDB);
}
const differing = differingRows(priceRows, listed);
const gone = Object.keys(priceRows).filter((region) => listed[region] === undefined);
for (const line of differing) process.stdout.write(`${line}\n`);
for (const region of gone) process.stdout.write(`${region} is not in the list\n`);
process.stdout.write(
  `The list is of ${publicationDate.slice(0, 10)}, lib/capacity/region-prices.ts of ${priceList.asOf}: ` +
    `${differing.length + gone.length} of ${Object.keys(listed).length} regions differ\n`,
);
process.exitCode = differing.length + gone.length > 0 ? 1 : 0;
