import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { NotEvaluated, Refused } from './expression-tokens.ts';
import { type Item, ownProperty, type Placeholders } from './item.ts';
import { reservedWords } from './reserved-words.ts';

/** Names and indexes, from the attribute down to what is meant, as in `a.#b[0]`. */
export interface DocumentPath {
  /** As the expression has it. */
  readonly written: string;
  readonly steps: readonly (string | number)[];
}

export function documentPath(written: string, { names }: Placeholders): DocumentPath {
  const steps = written.split('.').flatMap((part) => {
    const [, word = '', indexes = ''] = /^(#?\w+)((?:\[\d+\])*)$/.exec(part) ?? [];
    if (word === '') throw new NotEvaluated(`'${written}' is no path`);
    const name = word.startsWith('#') ? names[word] : word;
    if (name === undefined) throw new Refused(`'${word}' is not in ExpressionAttributeNames`);
    const isWritten = word === name;
    if (isWritten && !/^[a-z]/i.test(name))
      throw new Refused(`'${name}' does not begin with a letter: it needs a placeholder`);
    if (isWritten && reservedWords.has(name.toLowerCase()))
      throw new Refused(`'${name}' is a reserved word: it needs a placeholder`);
    return [name, ...[...indexes.matchAll(/\d+/g)].map(([index]) => Number(index))];
  });
  return { written, steps };
}

/** Undefined if there is none. */
export function attributeAt({ steps }: DocumentPath, item: Item | undefined): AttributeValue | undefined {
  let value: AttributeValue | undefined = item && { M: { ...item } };
  for (const step of steps) {
    value = typeof step === 'number' ? value?.L?.[step] : value?.M && ownProperty(value.M, step);
  }
  return value;
}

/** @throws Refused for two of which one is the other, a part of it, or takes for a list what it takes for a map */
export function assertDisjoint(paths: readonly DocumentPath[]): void {
  for (const [index, one] of paths.entries()) {
    for (const other of paths.slice(index + 1)) {
      const differsAt = one.steps.findIndex((step, at) => step !== other.steps[at]);
      const [first, second] = [one.steps[differsAt], other.steps[differsAt]];
      const overlaps = first === undefined || second === undefined;
      if (overlaps || typeof first !== typeof second) {
        const problem = overlaps ? 'overlap' : 'conflict';
        throw new Refused(`the paths '${one.written}' and '${other.written}' ${problem}`);
      }
    }
  }
}
