import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { elementsOf, hasElement, isEqual, orderOf } from './compare.ts';
import { ExpressionTokens, NotEvaluated, Refused } from './expression-tokens.ts';
import { type Item, type Placeholders, typeOf } from './item.ts';
import { operandOf } from './operands.ts';

/** A value of an expression, or what is found at a path or made of it. */
interface Operand {
  readonly value: AttributeValue | undefined;
  /** Written as a placeholder: DynamoDB refuses one of a wrong type, and takes an attribute for one that differs. */
  readonly isGiven: boolean;
}

const comparisons: Readonly<Record<string, (order: number) => boolean>> = {
  '<': (order) => order < 0,
  '<=': (order) => order <= 0,
  '>': (order) => order > 0,
  '>=': (order) => order >= 0,
};

const functions = ['attribute_exists', 'attribute_not_exists', 'attribute_type', 'begins_with', 'contains'];

const attributeTypes = ['S', 'SS', 'N', 'NS', 'B', 'BS', 'BOOL', 'NULL', 'L', 'M'];

/**
 * Whether a condition holds for an item. Source: "Condition and filter expressions, operators, and functions in
 * DynamoDB".
 *
 * @param item undefined if there is none
 * @throws Refused for what DynamoDB refuses, NotEvaluated for what cannot be read
 */
export function holds(expression: string, item: Item | undefined, placeholders: Placeholders): boolean {
  const tokens = new ExpressionTokens(expression);
  /** Whether what was read last is one part in parentheses, and nothing beside it. */
  let isGroup = false;
  const either = (): boolean => {
    let result = both();
    // Each part is read, whatever the ones before it are.
    while (tokens.takeIf('OR')) {
      result = both() || result;
      isGroup = false;
    }
    return result;
  };
  const both = (): boolean => {
    let result = negated();
    while (tokens.takeIf('AND')) {
      result = negated() && result;
      isGroup = false;
    }
    return result;
  };
  const negated = (): boolean => {
    if (!tokens.takeIf('NOT')) return single();
    const result = !negated();
    isGroup = false;
    return result;
  };
  const single = (): boolean => {
    const isOpened = tokens.takeIf('(');
    const result = isOpened ? either() : plain();
    if (isOpened) tokens.expect(')');
    if (isOpened && isGroup) throw new Refused('it has redundant parentheses');
    isGroup = isOpened;
    return result;
  };
  const plain = (): boolean => {
    const first = tokens.take();
    return tokens.next === '(' && first !== 'size' ? called(first) : compared(operand(first));
  };
  const operand = (word = tokens.take()): Operand => {
    if (word === 'size' && tokens.takeIf('(')) {
      const measured = operand();
      if (measured.isGiven) throw new Refused('size takes a path');
      tokens.expect(')');
      return { value: sizeOf(measured), isGiven: false };
    }
    return { value: operandOf(word, item, placeholders), isGiven: word.startsWith(':') };
  };
  const called = (name: string): boolean => {
    if (!functions.includes(name)) throw new Refused(`there is no function ${name}`);
    tokens.expect('(');
    const first = operand();
    const [second] = tokens.takeIf(',') ? [operand()] : [];
    tokens.expect(')');
    if (name === 'attribute_exists' || name === 'attribute_not_exists') {
      if (second || first.isGiven) throw new Refused(`${name} takes one path`);
      return (first.value !== undefined) === (name === 'attribute_exists');
    }
    if (second === undefined) throw new Refused(`${name} takes two operands`);
    if (name === 'begins_with') return beginsWith(first, second);
    if (name === 'contains') return contains(first, second);
    if (first.isGiven) throw new Refused('attribute_type takes a path first');
    return hasType(first, second);
  };
  const compared = (first: Operand): boolean => {
    if (tokens.takeIf('BETWEEN')) {
      const low = operand();
      tokens.expect('AND');
      const high = operand();
      assertRange(low, high);
      return isOrdered(first, '>=', low) && isOrdered(first, '<=', high);
    }
    if (tokens.takeIf('IN')) {
      tokens.expect('(');
      const others = tokens.list(operand);
      tokens.expect(')');
      return others.some((other) => isSame(first, other));
    }
    const operator = tokens.take();
    const second = operand();
    if (operator === '=') return isSame(first, second);
    if (operator === '<>') return !isSame(first, second);
    if (comparisons[operator] === undefined) throw new NotEvaluated(`${operator} is no operator`);
    return isOrdered(first, operator, second);
  };
  const result = either();
  tokens.expectEnd();
  return result;
}

function isSame({ value: one }: Operand, { value: other }: Operand): boolean {
  return one !== undefined && other !== undefined && isEqual(one, other);
}

/** One that is missing, or of another type, comes neither before nor behind. */
function isOrdered(one: Operand, operator: string, other: Operand): boolean {
  for (const each of [one, other]) assertGivenAs(['S', 'N', 'B'], each, operator);
  if (one.value === undefined || other.value === undefined) return false;
  const order = orderOf(one.value, other.value);
  return order !== undefined && comparisons[operator]?.(order) === true;
}

function assertRange({ value: low, isGiven }: Operand, { value: high, isGiven: isHighGiven }: Operand): void {
  if (!(isGiven && isHighGiven && low && high)) return;
  const order = orderOf(low, high);
  if (order === undefined || order > 0) throw new Refused('the bounds of BETWEEN are not in their order');
}

function assertGivenAs(types: readonly string[], { value, isGiven }: Operand, of: string): void {
  if (isGiven && value && !types.includes(typeOf(value)))
    throw new Refused(`${of} takes no value of type ${typeOf(value)}`);
}

function beginsWith(whole: Operand, part: Operand): boolean {
  for (const each of [whole, part]) assertGivenAs(['S', 'B'], each, 'begins_with');
  const [one, other] = [whole.value, part.value];
  if (one?.S !== undefined && other?.S !== undefined) return one.S.startsWith(other.S);
  if (one?.B === undefined || other?.B === undefined) return false;
  return Buffer.compare(one.B.subarray(0, other.B.byteLength), other.B) === 0;
}

function contains({ value: whole }: Operand, { value: part }: Operand): boolean {
  if (whole === undefined || part === undefined) return false;
  if (whole.S !== undefined && part.S !== undefined) return whole.S.includes(part.S);
  if (whole.B !== undefined && part.B !== undefined)
    return Buffer.from(whole.B).includes(Buffer.from(part.B));
  const elements = whole.L ?? elementsOf(whole);
  return elements !== undefined && hasElement(elements, part);
}

function hasType({ value }: Operand, { value: type, isGiven }: Operand): boolean {
  if (!isGiven || type?.S === undefined || !attributeTypes.includes(type.S))
    throw new Refused(`attribute_type takes one of ${attributeTypes.join(', ')} in a placeholder`);
  return value !== undefined && typeOf(value) === type.S;
}

/** Undefined for what has none. */
function sizeOf({ value = {} as AttributeValue }: Operand): AttributeValue | undefined {
  const { S, B, L, M } = value;
  const size =
    S?.length ?? B?.byteLength ?? L?.length ?? (M && Object.keys(M).length) ?? elementsOf(value)?.length;
  return size === undefined ? undefined : { N: String(size) };
}
