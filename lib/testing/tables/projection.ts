import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { assertDisjoint, attributeAt, type DocumentPath, documentPath } from './document-path.ts';
import { ExpressionTokens } from './expression-tokens.ts';
import type { Item, Placeholders } from './item.ts';

/** The paths of a projection. @throws Refused for what DynamoDB refuses, NotEvaluated for what cannot be read */
export function projectedPaths(expression: string, placeholders: Placeholders): DocumentPath[] {
  const tokens = new ExpressionTokens(expression);
  const paths = tokens.list(() => documentPath(tokens.take(), placeholders));
  tokens.expectEnd();
  assertDisjoint(paths);
  return paths;
}

/** What an item has at some paths. Of a list, the elements that are asked for move together. */
export function projected(item: Item, paths: readonly DocumentPath[]): Item {
  const found = paths.filter((path) => attributeAt(path, item) !== undefined);
  const part = partOf(
    { M: { ...item } },
    found.map(({ steps }) => steps),
  );
  return part.M ?? {};
}

function partOf(value: AttributeValue, paths: readonly DocumentPath['steps'][]): AttributeValue {
  if (paths.some(({ length }) => length === 0)) return value;
  const { M: map = {}, L: list } = value;
  const byStep = Map.groupBy(paths, ([step]) => step as string | number);
  const inner = (step: string | number) => (byStep.get(step) ?? []).map(([, ...steps]) => steps);
  if (list) {
    const indexes = [...byStep.keys()].map(Number).toSorted((one, other) => one - other);
    return { L: indexes.map((index) => partOf(list[index] as AttributeValue, inner(index))) };
  }
  const names = [...byStep.keys()].map(String);
  return {
    M: Object.fromEntries(names.map((name) => [name, partOf(map[name] as AttributeValue, inner(name))])),
  };
}
