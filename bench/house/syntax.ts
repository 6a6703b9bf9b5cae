import {
  type AssignmentExpression,
  type ClassProperty,
  parseSync,
  type RegExpLiteral,
  type StringLiteral,
  type TemplateElement,
  type UpdateExpression,
} from '@swc/core';

/** Syntax nodes that the measurements need; the fields of each are those of @swc/core. */
export type SyntaxNode =
  | AssignmentExpression
  | ClassProperty
  | RegExpLiteral
  | StringLiteral
  | TemplateElement
  | UpdateExpression;

const kept: Readonly<Record<SyntaxNode['type'], true>> = {
  AssignmentExpression: true,
  ClassProperty: true,
  RegExpLiteral: true,
  StringLiteral: true,
  TemplateElement: true,
  UpdateExpression: true,
};

/** @throws Error for code that is not TypeScript */
export function syntaxOf(code: string): SyntaxNode[] {
  const found: SyntaxNode[] = [];
  const visit = (value: unknown) => {
    if (typeof value !== 'object' || value === null) return;
    if ('type' in value && Object.hasOwn(kept, String(value.type))) found.push(value as SyntaxNode);
    for (const child of Object.values(value)) visit(child);
  };
  visit(parseSync(code, { syntax: 'typescript', target: 'es2023' }).body);
  return found;
}
