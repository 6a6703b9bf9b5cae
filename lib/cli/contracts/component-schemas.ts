import type { JsonSchema } from '../../messages/contracts/json-schema.ts';
import { pathOf, reference } from './json-pointer.ts';

/** Keywords whose value is data, and those whose value has schemas by names. */
const dataKeywords = new Set(['const', 'default', 'enum', 'examples']);
const mapKeywords = new Set(['dependencies', 'dependentSchemas', 'patternProperties', 'properties']);
const definitionKeywords = new Set(['$defs', 'definitions']);

/**
 * The schemas that others of a document refer to. A JSON Schema by itself refers to its own root, and the root
 * of a document is another one.
 */
export class ComponentSchemas {
  readonly schemas: Record<string, object>;

  constructor(schemas: Readonly<Record<string, object>>) {
    this.schemas = { ...schemas };
  }

  /**
   * Moves what a schema refers to here.
   *
   * @param name what it is called here if it refers to itself; the names of its parts begin with it
   * @returns the schema for any place of the document
   */
  moved(name: string, root: JsonSchema): JsonSchema {
    const names = new Map<string, string>();
    const componentOf = (path: readonly string[]): string | undefined => {
      const key = JSON.stringify(path);
      const known = names.get(key);
      if (known !== undefined) return known;
      const part = partAt(path, root);
      if (part === undefined) return undefined;
      const component = this.#freeName([name, ...path.slice(-1)].join('.'));
      // Before its own references are: it may be among them.
      names.set(key, component);
      this.schemas[component] = {};
      this.schemas[component] = withReferences(part, (of) => componentReference(componentOf, of)) as object;
      return component;
    };
    const schema = withReferences(root, (of) => componentReference(componentOf, of)) as JsonSchema;
    const itself = names.get('[]');
    return itself === undefined ? schema : { $ref: reference('components', 'schemas', itself) };
  }

  /** Source: "Components Object", AsyncAPI Specification 3.0.0. */
  #freeName(wanted: string): string {
    const allowed = wanted.replaceAll(/[^\w.-]/g, '_');
    let name = allowed;
    for (let count = 2; Object.hasOwn(this.schemas, name); count += 1) name = `${allowed}_${count}`;
    return name;
  }
}

function componentReference(
  componentOf: (path: readonly string[]) => string | undefined,
  given: string,
): string {
  const path = pathOf(given);
  const component = path && componentOf(path);
  return component === undefined ? given : reference('components', 'schemas', component);
}

function partAt(path: readonly string[], root: unknown): unknown {
  return path.reduce<unknown>(
    (part, name) =>
      typeof part === 'object' && part !== null && Object.hasOwn(part, name)
        ? (part as Record<string, unknown>)[name]
        : undefined,
    root,
  );
}

/** Without its definitions: those that it refers to are moved. */
function withReferences(schema: unknown, moved: (reference: string) => string): unknown {
  if (Array.isArray(schema)) return schema.map((part) => withReferences(part, moved));
  if (typeof schema !== 'object' || schema === null) return schema;
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([keyword]) => !definitionKeywords.has(keyword))
      .map(([keyword, value]) => [keyword, withReferencesIn(keyword, value, moved)]),
  );
}

function withReferencesIn(keyword: string, value: unknown, moved: (reference: string) => string): unknown {
  if (keyword === '$ref' && typeof value === 'string') return moved(value);
  if (dataKeywords.has(keyword)) return value;
  if (!mapKeywords.has(keyword)) return withReferences(value, moved);
  return Object.fromEntries(
    Object.entries(Object(value)).map(([name, part]) => [name, withReferences(part, moved)]),
  );
}
