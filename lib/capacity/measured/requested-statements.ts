import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type { Item, RecordedCall } from './recorded-call.ts';

/** What a statement of PartiQL writes of one item, as those of sagabox are. */
export interface RequestedStatement {
  readonly tableName: string;
  readonly text: string;
  readonly key: Item;
  /** What it sets, each by its path. */
  readonly sets: readonly PathValue[];
  /** Whether a condition refused it. */
  readonly isRefused: boolean;
}

export interface PathValue {
  readonly path: readonly string[];
  readonly value: AttributeValue;
}

const name = /"((?:[^"]|"")*)"/g;
/** It begins at a whole path only, and each name has one end: there is one way to read a statement. */
const equals = /((?<![".])"(?:[^"]|"")*"(?!")(?:\."(?:[^"]|"")*"(?!"))*) = \?/g;
const entry = /(?<!')'((?:[^']|'')*)'(?!'): \?/g;
const refusals = ['ConditionalCheckFailed', 'DuplicateItem'];
const keyAttributes = 2;

/** The statements of a batch, in its order. */
export function requestedStatements({ operation, input, output }: RecordedCall): RequestedStatement[] {
  if (operation !== 'BatchExecuteStatement') return [];
  const statements: readonly { Statement: string; Parameters?: readonly AttributeValue[] }[] =
    input.Statements ?? [];
  return statements.map(({ Statement: text, Parameters: values = [] }, index) => {
    const { Code: code = '' } = output?.Responses?.[index]?.Error ?? {};
    const [tableName = ''] = namesIn(text);
    return { tableName, text, ...partsOf(text, values), isRefused: refusals.includes(code) };
  });
}

function partsOf(text: string, values: readonly AttributeValue[]): Pick<RequestedStatement, 'key' | 'sets'> {
  const isInsert = text.startsWith('INSERT');
  const paths = isInsert
    ? [...text.matchAll(entry)].map(([, attribute = '']) => [attribute.replaceAll("''", "'")])
    : [...text.matchAll(equals)].map(([, path = '']) => namesIn(path));
  const pairs = paths.flatMap((path, index): PathValue[] => {
    const value = values[index];
    return value === undefined ? [] : [{ path, value }];
  });
  const ofSet = [...text.slice(0, text.lastIndexOf(' WHERE ')).matchAll(equals)].length;
  const [keys, sets] = isInsert
    ? [pairs.slice(0, keyAttributes), pairs.slice(keyAttributes)]
    : [pairs.slice(ofSet, ofSet + keyAttributes), pairs.slice(0, ofSet)];
  return { key: Object.fromEntries(keys.map(({ path, value }) => [path.join('.'), value])), sets };
}

function namesIn(text: string): string[] {
  return [...text.matchAll(name)].map(([, quoted = '']) => quoted.replaceAll('""', '"'));
}
