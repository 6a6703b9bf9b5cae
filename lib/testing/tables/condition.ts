import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { decimalOf, decimalOrder } from './decimal.ts';
import { ExpressionTokens, NotEvaluated } from './expression-tokens.ts';
import { attributeAt, type Item, operandOf, type Placeholders } from './operands.ts';

const comparisons: Readonly<Record<string, (order: number) => boolean>> = {
  '=': (order) => order === 0,
  '<': (order) => order < 0,
  '<=': (order) => order <= 0,
  '>': (order) => order > 0,
  '>=': (order) => order >= 0,
};

/**
 * Whether a condition holds for an item: `attribute_exists`, `attribute_not_exists`, comparisons of strings,
 * numbers, binaries, booleans and nulls, AND, OR, NOT and parentheses. Source: "Condition and filter expressions,
 * operators, and functions in DynamoDB".
 *
 * @param item undefined if there is none
 * @throws NotEvaluated for anything else
 */
export function holds(expression: string, item: Item | undefined, placeholders: Placeholders): boolean {
  const tokens = new ExpressionTokens(expression);
  const either = (): boolean => {
    let result = both();
    // Each part is read, whatever the ones before it are.
    while (tokens.takeIf('OR')) result = both() || result;
    return result;
  };
  const both = (): boolean => {
    let result = negated();
    while (tokens.takeIf('AND')) result = negated() && result;
    return result;
  };
  const negated = (): boolean => (tokens.takeIf('NOT') ? !negated() : single());
  const single = (): boolean => {
    if (tokens.takeIf('(')) {
      const result = either();
      tokens.expect(')');
      return result;
    }
    const first = tokens.take();
    return tokens.takeIf('(') ? called(first) : compared(first);
  };
  const called = (name: string): boolean => {
    if (name !== 'attribute_exists' && name !== 'attribute_not_exists')
      throw new NotEvaluated(`the function ${name} is not among those that the test kit evaluates`);
    const attribute = attributeAt(tokens.take(), item, placeholders);
    tokens.expect(')');
    return (attribute !== undefined) === (name === 'attribute_exists');
  };
  const compared = (first: string): boolean => {
    const operator = tokens.take();
    if (operator !== '<>' && comparisons[operator] === undefined)
      throw new NotEvaluated(`${operator} is not among the operators that the test kit evaluates`);
    const [one, other] = [first, tokens.take()].map((operand) => operandOf(operand, item, placeholders));
    const order = orderOf(one, other, operator);
    // One that is missing, or of another type, differs.
    return operator === '<>' ? order !== 0 : order !== undefined && comparisons[operator]?.(order) === true;
  };
  const result = either();
  if (tokens.next !== undefined) throw new NotEvaluated(`'${tokens.next}' is not expected`);
  return result;
}

/** Below, at or over 0; undefined for what cannot be compared. */
function orderOf(
  one: AttributeValue | undefined,
  other: AttributeValue | undefined,
  operator: string,
): number | undefined {
  if (one === undefined || other === undefined) return undefined;
  const [type = ''] = Object.keys(one);
  if (type !== Object.keys(other)[0]) return undefined;
  if (one.N !== undefined && other.N !== undefined) return decimalOrder(decimalOf(one.N), decimalOf(other.N));
  // DynamoDB compares strings by their bytes in UTF-8.
  if (one.S !== undefined && other.S !== undefined)
    return Buffer.compare(Buffer.from(one.S), Buffer.from(other.S));
  if (one.B !== undefined && other.B !== undefined) return Buffer.compare(one.B, other.B);
  const isEquality = operator === '=' || operator === '<>';
  if (isEquality && type === 'BOOL') return one.BOOL === other.BOOL ? 0 : 1;
  if (isEquality && type === 'NULL') return 0;
  throw new NotEvaluated(`values of type ${type} are not compared by ${operator}`);
}
