import { brotliDecompressSync } from 'node:zlib';
import type { Item } from '../../support/raw-items.ts';

/**
 * How commit `2eca7cb` read the operations of a record: its `fromRecordItem`, `unpackOperations`, `unpack` and
 * `decompress`, with the same checks. What it cannot read is of no use for a team that steps back to it.
 *
 * @param chunks of the record, in their order
 * @throws Error that names the code of the error that it threw
 */
export function operationsAs2eca7cb(item: Item, chunks: readonly Item[] = []): object[] {
  const refuse = (code: string, detail: string) => new Error(`${code}: ${detail}`);
  if (item.schemaVersion?.N !== '1') throw refuse('UnreadableItem', 'schemaVersion');
  const chunkCount = Number(item.chunkCount?.N);
  if (!Number.isInteger(chunkCount) || chunkCount < 0 || chunkCount > 47) {
    throw refuse('IncompleteOutboxRecord', 'chunkCount');
  }
  if (chunks.length !== chunkCount) throw refuse('IncompleteOutboxRecord', 'chunks');
  const packed =
    chunkCount === 0
      ? item.operations?.B
      : Buffer.concat(chunks.flatMap((chunk) => chunk.operations?.B ?? []));
  if (packed === undefined) throw refuse('IncompleteOutboxRecord', 'operations');
  const encoding = item.encoding?.S;
  if (encoding !== undefined && encoding !== 'br') throw refuse('UnreadableItem', `encoding '${encoding}'`);
  const operations = unpack(encoding === undefined ? packed : brotliDecompressSync(packed));
  if (operations === undefined) throw refuse('UnreadableItem', 'operations');
  if (operations.length === Number(item.operationCount?.N)) return operations;
  throw refuse('IncompleteOutboxRecord', 'operationCount');
}

function unpack(packed: Uint8Array): object[] | undefined {
  const operations: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(packed));
  return Array.isArray(operations) && operations.every(isOutgoingOperation) ? operations : undefined;
}

function isOutgoingOperation(value: unknown): boolean {
  if (!isObject(value) || !isText(value.id) || value.id === '') return false;
  if ('cancels' in value) return isText(value.cancels);
  const { destination, type, headers, body, delaySeconds, dueAt, messageGroupId, format } = value;
  return (
    isText(destination) &&
    isText(type) &&
    isObject(headers) &&
    Object.values(headers).every(isText) &&
    body !== undefined &&
    (delaySeconds === undefined || isDelay(delaySeconds)) &&
    (dueAt === undefined || (isText(dueAt) && new Date(dueAt).toJSON() === dueAt)) &&
    (messageGroupId === undefined || (isText(messageGroupId) && /^[!-~]{1,128}$/.test(messageGroupId))) &&
    (format === undefined || format === 'cloudevents')
  );
}

function isDelay(seconds: unknown): boolean {
  return Number.isInteger(seconds) && Number(seconds) >= 0 && Number(seconds) <= 900;
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
