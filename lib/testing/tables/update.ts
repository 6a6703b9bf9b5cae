import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { elementsOf, hasElement, setOf } from './compare.ts';
import { decimalOf, decimalText, negative, sumOf } from './decimal.ts';
import { assertDisjoint, attributeAt, type DocumentPath, documentPath } from './document-path.ts';
import { ExpressionTokens, NotEvaluated, Refused } from './expression-tokens.ts';
import { type Item, ownProperty, type Placeholders, typeOf } from './item.ts';
import { operandOf, placeholderValue } from './operands.ts';

/** What becomes of one place of an item. */
interface Change {
  readonly path: DocumentPath;
  /** Undefined if nothing is there any more. */
  readonly value: AttributeValue | undefined;
}

const actions = ['SET', 'REMOVE', 'ADD', 'DELETE'] as const;
const setTypes = ['SS', 'NS', 'BS'];

/**
 * An item after an update. Source: "Update expressions in DynamoDB".
 *
 * @param key the names of the attributes that an update cannot change
 * @throws Refused for what DynamoDB refuses, NotEvaluated for what cannot be read
 */
export function updated(
  expression: string,
  item: Item,
  key: readonly string[],
  placeholders: Placeholders,
): Item {
  const changes = changesOf(expression, item, placeholders);
  const paths = changes.map(({ path }) => path);
  assertDisjoint(paths);
  const ofKey = paths.find(({ steps: [name] }) => key.includes(String(name)));
  if (ofKey) throw new Refused(`'${ofKey.written}' is in the key, which an update cannot change`);
  return changedItem(item, changes);
}

/** All of them are made of the item as it was before. */
function changesOf(expression: string, item: Item, placeholders: Placeholders): Change[] {
  const tokens = new ExpressionTokens(expression);
  const path = () => documentPath(tokens.take(), placeholders);
  const operand = (): AttributeValue => {
    const word = tokens.take();
    if (tokens.takeIf('(')) return called(word);
    const value = operandOf(word, item, placeholders);
    if (value === undefined) throw new Refused(`it reads '${word}', which the item does not have`);
    return value;
  };
  const called = (name: string): AttributeValue => {
    if (name !== 'if_not_exists' && name !== 'list_append') throw new Refused(`there is no function ${name}`);
    const first = name === 'if_not_exists' ? attributeAt(path(), item) : operand();
    tokens.expect(',');
    const second = operand();
    tokens.expect(')');
    if (name === 'if_not_exists') return first ?? second;
    if (first?.L === undefined || second.L === undefined) throw new Refused('list_append takes two lists');
    return { L: [...first.L, ...second.L] };
  };
  const assigned = (): AttributeValue => {
    const first = operand();
    if (tokens.takeIf('+')) return sum(first, operand());
    return tokens.takeIf('-') ? sum(first, operand(), true) : first;
  };
  const change = {
    SET: (): Change => {
      const changed = path();
      tokens.expect('=');
      return { path: changed, value: assigned() };
    },
    REMOVE: (): Change => ({ path: path(), value: undefined }),
    ADD: (): Change => {
      const changed = path();
      return {
        path: changed,
        value: added(attributeAt(changed, item), placeholderValue(tokens.take(), placeholders)),
      };
    },
    DELETE: (): Change => {
      const changed = path();
      return {
        path: changed,
        value: left(attributeAt(changed, item), placeholderValue(tokens.take(), placeholders)),
      };
    },
  };
  const seen = new Set<string>();
  const changes: Change[] = [];
  do {
    const action = actions.find((each) => tokens.takeIf(each));
    if (action === undefined)
      throw new NotEvaluated(`'${tokens.next ?? 'nothing'}' is no action of an update`);
    if (seen.has(action)) throw new Refused(`it has ${action} twice`);
    seen.add(action);
    changes.push(...tokens.list(change[action]));
  } while (tokens.next !== undefined);
  return changes;
}

function sum(first: AttributeValue, second: AttributeValue, subtracts = false): AttributeValue {
  if (first.N === undefined || second.N === undefined) throw new Refused('it adds what is no number');
  const [one, other] = [decimalOf(first.N), decimalOf(second.N)];
  return { N: decimalText(sumOf(one, subtracts ? negative(other) : other)) };
}

function added(before: AttributeValue | undefined, more: AttributeValue): AttributeValue {
  const type = typeOf(more);
  if (type !== 'N' && !setTypes.includes(type))
    throw new Refused(`ADD takes numbers and sets, not type ${type}`);
  if (before === undefined) return more;
  if (typeOf(before) !== type)
    throw new Refused(`ADD finds type ${typeOf(before)} where it adds type ${type}`);
  if (type === 'N') return sum(before, more);
  const elements = elementsOf(before) ?? [];
  const others = elementsOf(more) ?? [];
  return setOf(type, [...elements, ...others.filter((each) => !hasElement(elements, each))]);
}

/** A set that is empty then is gone. */
function left(before: AttributeValue | undefined, removed: AttributeValue): AttributeValue | undefined {
  const type = typeOf(removed);
  if (!setTypes.includes(type)) throw new Refused(`DELETE takes sets, not type ${type}`);
  if (before === undefined) return undefined;
  if (typeOf(before) !== type)
    throw new Refused(`DELETE finds type ${typeOf(before)} where it removes type ${type}`);
  const others = elementsOf(removed) ?? [];
  const kept = (elementsOf(before) ?? []).filter((each) => !hasElement(others, each));
  return kept.length > 0 ? setOf(type, kept) : undefined;
}

/** Indexes are those of the item as it was: elements are removed last, and added behind those that are left. */
function changedItem(item: Item, changes: readonly Change[]): Item {
  const root = { M: structuredClone(item) as Record<string, AttributeValue> };
  const removed = new Map<AttributeValue[], Set<number>>();
  const appended = new Map<AttributeValue[], [number, AttributeValue][]>();
  for (const { path, value } of changes) {
    const parent = parentOf(root, path);
    const last = path.steps.at(-1);
    if (typeof last === 'string' && parent.M) {
      if (value === undefined) delete parent.M[last];
      else parent.M[last] = value;
    } else if (typeof last === 'number' && parent.L) {
      const list = parent.L;
      if (value === undefined) removed.set(list, new Set([...(removed.get(list) ?? []), last]));
      else if (last < list.length) list[last] = value;
      else appended.set(list, [...(appended.get(list) ?? []), [last, value]]);
    }
  }
  for (const [list, indexes] of removed)
    list.splice(0, list.length, ...list.filter((_element, index) => !indexes.has(index)));
  for (const [list, elements] of appended)
    list.push(...elements.toSorted(([one], [other]) => one - other).map(([, element]) => element));
  return root.M;
}

/** The map or list that a path ends in. */
function parentOf(root: AttributeValue, { written, steps }: DocumentPath): AttributeValue {
  let parent: AttributeValue | undefined = root;
  for (const step of steps.slice(0, -1))
    parent = typeof step === 'number' ? parent?.L?.[step] : parent?.M && ownProperty(parent.M, step);
  const isThere = typeof steps.at(-1) === 'number' ? parent?.L : parent?.M;
  if (parent === undefined || isThere === undefined)
    throw new Refused(`the item has no map or list for '${written}' to be in`);
  return parent;
}
