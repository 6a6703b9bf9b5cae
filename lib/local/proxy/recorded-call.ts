import type { RecordedCall } from '../../capacity/measured/recorded-call.ts';
import type { CallAnswer, ProxiedCall } from './proxied-call.ts';
import { fromWire, type WireItem } from './wire-item.ts';

const items = ['Item', 'Key', 'Attributes', 'ExpressionAttributeValues'];
const listsOfItems = ['Items', 'Keys'];
/** Their fields are names of tables. */
const byTable = ['RequestItems', 'UnprocessedKeys', 'UnprocessedItems', 'Responses'];

/** A call as it went over the wire, as a client of the SDK would have made it. */
export function recordedCall(
  { service, operation, request }: ProxiedCall,
  { status, body }: CallAnswer,
): RecordedCall {
  const isTable = service === 'dynamodb';
  const input = isTable ? decode(request) : request;
  if (status < 300) return { operation, input, output: isTable ? decode(body) : body };
  const type = String(body.__type ?? body.code ?? status);
  // What the error carries of the items that refused the call, as an error of the SDK does.
  const { Item, CancellationReasons } = decode(body) as Readonly<Record<string, unknown>>;
  const name = type.split('#').at(-1) ?? type;
  return { operation, input, error: Object.assign(new Error(type), { name, Item, CancellationReasons }) };
}

function decode(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(decode);
  if (!isObject(value)) return value;
  return mapped(value, (field, name) => {
    if (items.includes(name) && isObject(field)) return fromWire(field);
    if (listsOfItems.includes(name)) return decodeItems(field);
    if (byTable.includes(name) && isObject(field)) return mapped(field, decodeOfTable);
    return decode(field);
  });
}

/** Of one table: items that were found, writes, or keys. */
function decodeOfTable(value: unknown): unknown {
  if (!Array.isArray(value)) return decode(value);
  return value.map((one) =>
    isObject(one) && ('PutRequest' in one || 'DeleteRequest' in one) ? decode(one) : decodeItem(one),
  );
}

function decodeItems(value: unknown): unknown {
  return Array.isArray(value) ? value.map(decodeItem) : value;
}

function decodeItem(value: unknown): unknown {
  return isObject(value) ? fromWire(value) : value;
}

function mapped(value: WireItem, change: (field: unknown, name: string) => unknown): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, change(field, name)]));
}

function isObject(value: unknown): value is WireItem {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
