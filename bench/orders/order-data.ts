import { itemSize, utf8Bytes } from '../../lib/dynamodb/item-size.ts';
import { defaultMapper } from '../../lib/saga/item/mapper.dynamodb.ts';
import type { Random } from '../../test/support/random.ts';

/** What the saga of an order keeps. */
export type OrderState = ReturnType<typeof newOrder>;

const firstNames = wordsOf('Anna Beatriz Chidi Dagny Émile Femke Giulia Hugo Ines Jörg');
const lastNames = wordsOf('Abara Brandt Costa Dubois Eriksen Fontana Jansen Kowalska Novák');
const streets = [
  'Rua Garrett',
  'Lipowa',
  'Vesterbrogade',
  'Nieuwegracht',
  'Rue Mercière',
  'Hämeenkatu',
] as const;
const cities = wordsOf('Kraków Utrecht Porto Aarhus Lyon Tampere Brno Graz');
const products = [
  'Desk lamp',
  'Office chair',
  'Notebook A5',
  'Fountain pen',
  'Monitor arm',
  'Keyboard',
] as const;
const words = wordsOf(
  'please leave it with the neighbour at number seven or ring twice the bell is broken use side door after five only on ' +
    'weekdays fragile glass inside keep upright gift wrap no invoice call before delivery lift out of order third floor ' +
    'behind garage code yellow gate dog friendly signature needed return old box',
);

function wordsOf(text: string) {
  return text.split(' ') as [string, ...string[]];
}

export function newOrderId(random: Random): string {
  return `ORD-${random.digits(8)}`;
}

/** @param bytes of the state, by DynamoDB's rules, with the name of its attribute */
export function newOrder(random: Random, bytes: number) {
  const line = () => ({
    sku: `${random.digits(4)}-${random.digits(6)}`,
    product: random.pick(products),
    quantity: 1 + random.below(9),
    price: `${1 + random.below(900)}.${random.digits(2)}`,
  });
  const order = {
    // Each message changes it. All ids have one length, so that the item keeps its size.
    lastMessageId: '00000000-0000-4000-a000-000000000000',
    customer: nameOf(random),
    street: `${random.pick(streets)} ${1 + random.below(200)}`,
    city: random.pick(cities),
    lines: Array.from({ length: 4 }, line),
    note: '',
  };
  const stateBytes = itemSize({ state: { M: defaultMapper.toAttributes(order) } });
  return { ...order, note: sentence(random, bytes - stateBytes) };
}

/**
 * The body of one message to the shipping department.
 *
 * @param bytes of its JSON
 */
export function newParcel(random: Random, bytes: number) {
  const parcel = {
    parcel: `P-${random.digits(9)}`,
    grams: 100 + random.below(20_000),
    receiver: nameOf(random),
    city: random.pick(cities),
    note: '',
  };
  return { ...parcel, note: sentence(random, bytes - utf8Bytes(JSON.stringify(parcel))) };
}

/**
 * A body that does not compress, such as a cipher in base64.
 *
 * @param bytes of its JSON
 */
export function incompressibleText(random: Random, bytes: number): string {
  const quotes = '""'.length;
  const data = Uint8Array.from({ length: bytes }, () => random.below(256));
  return Buffer.from(data)
    .toString('base64')
    .slice(0, bytes - quotes);
}

function nameOf(random: Random): string {
  return `${random.pick(firstNames)} ${random.pick(lastNames)}`;
}

/** Words of exactly this many bytes, the last one cut off. */
function sentence(random: Random, bytes: number): string {
  if (bytes < 0) throw new Error(`An order or parcel is ${-bytes} bytes too large`);
  let text = '';
  while (text.length < bytes) text += `${random.pick(words)} `;
  return text.slice(0, bytes);
}
