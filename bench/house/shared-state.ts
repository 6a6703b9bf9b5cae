import type { SyntaxNode } from './syntax.ts';

export interface SharedField {
  readonly field: string;
  readonly declaredIn: readonly string[];
  readonly assignedIn: readonly string[];
}

/**
 * Fields of classes that another file assigns. Fields are told apart by their names alone: two classes with
 * one name for a field are taken for one.
 */
export function sharedState(nodesByFile: ReadonlyMap<string, readonly SyntaxNode[]>): SharedField[] {
  const declared = new Map<string, Set<string>>();
  const assigned = new Map<string, Set<string>>();
  for (const [path, nodes] of nodesByFile) {
    for (const node of nodes) {
      const [fields, name] =
        node.type === 'ClassProperty' ? [declared, mutableField(node)] : [assigned, assignedField(node)];
      if (name !== undefined) fields.set(name, (fields.get(name) ?? new Set()).add(path));
    }
  }
  return [...declared].flatMap(([field, classes]) => {
    const others = [...(assigned.get(field) ?? [])].filter((path) => !classes.has(path));
    return others.length === 0 ? [] : [{ field, declaredIn: [...classes], assignedIn: others }];
  });
}

function mutableField({ key, readonly }: Extract<SyntaxNode, { type: 'ClassProperty' }>): string | undefined {
  return key.type === 'Identifier' && readonly !== true ? key.value : undefined;
}

/** The field that a node assigns on an object other than `this`. */
function assignedField(node: SyntaxNode): string | undefined {
  const target =
    node.type === 'AssignmentExpression'
      ? node.left
      : node.type === 'UpdateExpression'
        ? node.argument
        : undefined;
  if (target?.type !== 'MemberExpression' || target.object.type === 'ThisExpression') return undefined;
  return target.property.type === 'Identifier' ? target.property.value : undefined;
}
