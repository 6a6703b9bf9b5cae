import { documentPath } from './document-path.ts';
import { ExpressionTokens, Refused } from './expression-tokens.ts';
import type { Placeholders } from './item.ts';

const operators = ['=', '<', '<=', '>', '>='];

/**
 * Refuses what is no condition of a `Query`: the partition key equals a value, and the sort key is compared once at
 * most. Source: "Key condition expressions for the Query operation in DynamoDB".
 *
 * @throws Refused, NotEvaluated
 */
export function assertKeyCondition(
  expression: string,
  [partition, sort]: readonly [string] | readonly [string, string],
  placeholders: Placeholders,
): void {
  const tokens = new ExpressionTokens(expression);
  const value = () => {
    if (!tokens.take().startsWith(':')) throw new Refused('a key is compared with what is no placeholder');
  };
  const compared = new Map<string, string>();
  const part = (): void => {
    if (tokens.takeIf('(')) {
      part();
      tokens.expect(')');
      return;
    }
    const isPrefix = tokens.takeIf('begins_with');
    if (isPrefix) tokens.expect('(');
    const { steps } = documentPath(tokens.take(), placeholders);
    const name = steps.join('.');
    if (isPrefix) tokens.expect(',');
    const operator = isPrefix ? 'begins_with' : tokens.take().toUpperCase();
    if (!isPrefix && operator !== 'BETWEEN' && !operators.includes(operator))
      throw new Refused(`${operator} is no operator of a KeyConditionExpression`);
    value();
    if (operator === 'BETWEEN') {
      tokens.expect('AND');
      value();
    }
    if (isPrefix) tokens.expect(')');
    if (compared.has(name)) throw new Refused(`the KeyConditionExpression has '${name}' twice`);
    compared.set(name, operator);
  };
  do part();
  while (tokens.takeIf('AND'));
  tokens.expectEnd();
  const others = [...compared.keys()].filter((name) => name !== partition && name !== sort);
  if (others.length > 0)
    throw new Refused(`the KeyConditionExpression has ${others.join(', ')}, which is no key`);
  if (compared.get(partition) !== '=')
    throw new Refused(`the KeyConditionExpression does not say what '${partition}' equals`);
}
