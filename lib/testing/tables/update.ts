import { ExpressionTokens, NotEvaluated } from './expression-tokens.ts';
import { type Item, numberOf, operandOf, type Placeholders, stepsOf } from './operands.ts';

/**
 * An item after an update: `SET a = :v`, also with `a + :v` and `a - :v`, and `REMOVE a`, of whole attributes.
 *
 * @throws NotEvaluated for anything else
 */
export function updated(expression: string, item: Item, placeholders: Placeholders): Item {
  const tokens = new ExpressionTokens(expression);
  const changed = { ...item };
  const attribute = (): string => {
    const path = tokens.take();
    const [name, ...others] = stepsOf(path, placeholders);
    if (typeof name !== 'string' || others.length > 0)
      throw new NotEvaluated(`'${path}' is a part of an attribute, not a whole one`);
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
    return { N: String(numberOf(first) + sign * numberOf(second)) };
  };
  while (tokens.next !== undefined) {
    const isSet = tokens.takeIf('SET');
    if (!isSet && !tokens.takeIf('REMOVE'))
      throw new NotEvaluated(`${tokens.next} is not among the actions that the test kit evaluates`);
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
