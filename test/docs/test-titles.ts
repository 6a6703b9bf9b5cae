import { type Argument, type CallExpression, type Expression, parseSync, type Super } from '@swc/core';

/** What a call of `it` says holds, in the situation of the calls of `describe` around it. */
export interface TestTitle {
  /** As written, the outermost first: `%s` and `$name` stand for each case. */
  readonly situations: readonly string[];
  readonly holds: string;
}

/**
 * Titles of the tests in a source, in its order.
 *
 * @throws Error for a title that does not stand in the call, as one string
 */
export function testTitles(code: string): TestTitle[] {
  const titles: TestTitle[] = [];
  const visit = (value: unknown, around: readonly string[]): void => {
    if (typeof value !== 'object' || value === null) return;
    const title = isTitled(value) ? stringOf(value.arguments[0]) : undefined;
    const isSituation = title !== undefined && calledName((value as CallExpression).callee) === 'describe';
    if (title !== undefined && !isSituation) titles.push({ situations: around, holds: title });
    for (const child of Object.values(value)) visit(child, isSituation ? [...around, title] : around);
  };
  visit(parseSync(code, { syntax: 'typescript', target: 'es2023' }).body, []);
  return titles;
}

/** A call of a title and a function: `describe.each(cases)` is none. */
function isTitled(node: object): node is CallExpression {
  if (!('type' in node) || node.type !== 'CallExpression') return false;
  const { callee, arguments: given } = node as CallExpression;
  return given.length > 1 && ['describe', 'it', 'test'].includes(calledName(callee) ?? '');
}

/** `it` for `it`, `it.each(cases)` and ``it.each`cases` ``. */
function calledName(callee: Expression | Super | { readonly type: 'Import' }): string | undefined {
  if (callee.type === 'Identifier') return callee.value;
  if (callee.type === 'MemberExpression') return calledName(callee.object);
  if (callee.type === 'CallExpression') return calledName(callee.callee);
  return callee.type === 'TaggedTemplateExpression' ? calledName(callee.tag) : undefined;
}

function stringOf(argument: Argument | undefined): string {
  const title = argument?.expression;
  if (title?.type === 'StringLiteral') return title.value;
  throw new Error(`The title of a test is no string, but ${title?.type}: write it into the call`);
}
