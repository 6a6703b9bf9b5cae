import type { RecordedCall } from '../../capacity/measured/recorded-call.ts';
import type { CallAnswer, ProxiedCall } from './proxied-call.ts';

/** A call as it went over the wire, as a client of the SDK would have made it. */
export function recordedCall(
  { service, operation, request }: ProxiedCall,
  { status, body }: CallAnswer,
): RecordedCall {
  const isTable = service === 'dynamodb';
  const input = isTable ? decoded(request) : request;
  if (status < 300) return { operation, input, output: isTable ? decoded(body) : body };
  const type = String(body.__type ?? body.code ?? status);
  // What the error carries of the items that refused the call, as an error of the SDK does.
  const { Item, CancellationReasons } = decoded(body);
  const name = type.split('#').at(-1) ?? type;
  return { operation, input, error: Object.assign(new Error(type), { name, Item, CancellationReasons }) };
}

/**
 * A request or an answer of DynamoDB as the SDK has it: with bytes where the wire has base64. A string below
 * the name `B`, or a list below `BS`, is a binary value: attributes of these names hold objects.
 */
export function decoded<Wire>(value: Wire): Wire {
  if (Array.isArray(value)) return value.map(decoded) as Wire;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => {
      if (name === 'B' && typeof field === 'string') return [name, bytesOf(field)];
      if (name === 'BS' && Array.isArray(field)) return [name, field.map(bytesOf)];
      return [name, decoded(field)];
    }),
  ) as Wire;
}

function bytesOf(base64: string): Buffer {
  return Buffer.from(base64, 'base64');
}
