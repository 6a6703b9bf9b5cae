import * as types from 'node:util/types';
import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { compress, decompress } from '../../dynamodb/compression.ts';
import type { Item } from '../../dynamodb/item-attributes.ts';
import { utf8Bytes } from '../../dynamodb/item-size.ts';
import { isJsonObject } from '../../kernel/values/value-kind.ts';
import { isNestedDeeper } from '../../sending/nesting.ts';
import { MAX_ATTRIBUTE_LEVELS } from './state-attributes.ts';

/**
 * Of the JSON of a state, before compression: no state that fits an item as it is has more. It keeps a few
 * damaged bytes from filling the memory when they are read.
 */
export const MAX_STATE_BYTES = 4 * 1024 * 1024;

/**
 * The attributes of a state in DynamoDB's own JSON, bytes in base64, compressed. `undefined` for more than
 * {@link MAX_STATE_BYTES}, and for what is no attribute value: as it is, the service says what is wrong.
 */
export function compressState(state: Item): Uint8Array | undefined {
  const json = jsonOf(state);
  if (json === undefined || utf8Bytes(json) > MAX_STATE_BYTES) return undefined;
  return compress(Buffer.from(json));
}

/** @throws Error when the bytes are not what {@link compressState} made. */
export function decompressState(bytes: Uint8Array): Item {
  const json = new TextDecoder('utf-8', { fatal: true }).decode(decompress(bytes, MAX_STATE_BYTES));
  const state: unknown = JSON.parse(json);
  if (isNestedDeeper(state, MAX_ATTRIBUTE_LEVELS)) throw new Error('it is nested too deep');
  return attributesOf(state, bytesOf);
}

function jsonOf(state: Item): string | undefined {
  try {
    return JSON.stringify(attributesOf(state, base64Of));
  } catch {
    // Undefined says it.
    return undefined;
  }
}

type BytesForm = (value: unknown) => unknown;

/** Checked both ways, so that all that is written can be read. */
function attributesOf(map: unknown, form: BytesForm): Item {
  if (!isJsonObject(map)) throw new Error('it is no map of attributes');
  return Object.fromEntries(Object.entries(map).map(([name, value]) => [name, attributeOf(value, form)]));
}

function attributeOf(attribute: unknown, form: BytesForm): AttributeValue {
  const [type, ...others] = Object.keys(Object(attribute));
  if (type === undefined || others.length > 0) {
    throw new Error('it holds an attribute without a type, or with several');
  }
  const value = (attribute as Readonly<Record<string, unknown>>)[type];
  const formed = valueIn(type, value, form);
  return (formed === value ? attribute : { [type]: formed }) as AttributeValue;
}

function valueIn(type: string, value: unknown, form: BytesForm): unknown {
  switch (type) {
    case 'S':
      return typeof value === 'string' ? value : refused(type);
    case 'N':
      return typeof value === 'string' && decimal.test(value) ? value : refused(type);
    case 'BOOL':
      return typeof value === 'boolean' ? value : refused(type);
    case 'NULL':
      return value === true ? value : refused(type);
    case 'B':
      return form(value);
    case 'SS':
    case 'NS':
    case 'BS':
      return elementsOf(value).map((element) => valueIn(type.slice(0, 1), element, form));
    case 'L':
      return elementsOf(value).map((element) => attributeOf(element, form));
    case 'M':
      return attributesOf(value, form);
    default:
      throw new Error(`it holds an attribute of the unknown type ${type}`);
  }
}

const decimal = /^[+-]?(\d+(?:\.\d*)?|\.\d+)(e[+-]?\d+)?$/i;

function elementsOf(value: unknown): unknown[] {
  // Not the array itself: map would skip its holes.
  return Array.isArray(value) ? [...value] : refused('L');
}

function base64Of(value: unknown): string {
  if (!types.isUint8Array(value)) return refused('B');
  return Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('base64');
}

/** Bytes of their own: a buffer shares its memory with others, which each copy would hold too. */
function bytesOf(value: unknown): Uint8Array {
  return typeof value === 'string' ? Uint8Array.from(Buffer.from(value, 'base64')) : refused('B');
}

function refused(type: string): never {
  throw new Error(`it holds an attribute of type ${type} with something else in it`);
}
