import { decimalOf, decimalText, negative, sumOf } from './decimal.ts';
import { ExpressionTokens, NotEvaluated } from './expression-tokens.ts';
import { type Item, operandOf, type Placeholders, stepsOf } from './operands.ts';

/**
 * An item after an update: `SET a = :v`, also with `a + :v` and `a - :v`, and `REMOVE a`, of whole attributes.
 *
 * @param key the names of the attributes that an update cannot change
 * @throws NotEvaluated for anything else
 */
export function updated(
  expression: string,
  item: Item,
  key: readonly string[],
  placeholders: Placeholders,
): Item {
  const tokens = new ExpressionTokens(expression);
  const changed = { ...item };
  const seen = new Set<string>();
  const once = (part: string): void => {
    if (seen.has(part)) throw new NotEvaluated(`it has ${part} twice`);
    seen.add(part);
  };
  const attribute = (): string => {
    const path = tokens.take();
    const [name, ...others] = stepsOf(path, placeholders);
    if (typeof name !== 'string' || others.length > 0)
      throw new NotEvaluated(`'${path}' is a part of an attribute, not a whole one`);
    if (key.includes(name)) throw new NotEvaluated(`'${name}' is in the key, which an update cannot change`);
    once(`the attribute '${name}'`);
    return name;
  };
  const value = () => {
    const first = operandOf(tokens.take(), item, placeholders);
    const sign = tokens.takeIf('+') ? 1 : tokens.takeIf('-') ? -1 : 0;
    if (first === undefined) throw new NotEvaluated('it reads an attribute that the item does not have');
    if (sign === 0) return first;
    const second = operandOf(tokens.take(), item, placeholders);
    if (second === undefined || first.N === undefined || second.N === undefined)
      throw new NotEvaluated('it adds what is no number');
    const [one, other] = [decimalOf(first.N), decimalOf(second.N)];
    return { N: decimalText(sumOf(one, sign === 1 ? other : negative(other))) };
  };
  while (tokens.next !== undefined) {
    const isSet = tokens.takeIf('SET');
    if (!isSet && !tokens.takeIf('REMOVE'))
      throw new NotEvaluated(`${tokens.next} is not among the actions that the test kit evaluates`);
    once(isSet ? 'SET' : 'REMOVE');
    do {
      const name = attribute();
      if (isSet) {
        tokens.expect('=');
        changed[name] = value();
      } else delete changed[name];
    } while (tokens.takeIf(','));
  }
  return changed;
}
