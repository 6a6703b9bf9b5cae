/** What AWS evaluates of an identity policy, as far as the policies of the constructs use it. */
export interface PolicyStatement {
  readonly Effect: string;
  readonly Action: string | readonly string[];
  readonly Resource?: string | readonly string[];
  readonly Condition?: Readonly<Record<string, Readonly<Record<string, string | readonly string[]>>>>;
}

/** One permission that a call needs. */
export interface AccessRequest {
  /** For example `dynamodb:PutItem`. */
  readonly action: string;
  /** An ARN. */
  readonly resource: string;
  /** Values of condition keys, such as `dynamodb:LeadingKeys`; one that is absent has no value. */
  readonly context?: Readonly<Record<string, readonly string[]>>;
}

type Test = (values: readonly string[], wanted: readonly string[]) => boolean;

const isLike: Test = (values, wanted) =>
  values.length > 0 && values.every((value) => wanted.some((pattern) => matches(pattern, value)));
const equals: Test = (values, wanted) => values.length > 0 && values.every((value) => wanted.includes(value));

/** Source: "IAM JSON policy elements: Condition operators". */
const operators: Readonly<Record<string, Test>> = {
  StringEquals: equals,
  StringLike: isLike,
  ArnEquals: isLike,
  ArnLike: isLike,
  // True without a value: "Multivalued context keys".
  'ForAllValues:StringEquals': (values, wanted) => values.length === 0 || equals(values, wanted),
  'ForAllValues:StringLike': (values, wanted) => values.length === 0 || isLike(values, wanted),
  Null: (values, wanted) => String(values.length === 0) === wanted[0],
};

/**
 * The statements that allow the request; empty when it is denied.
 *
 * @throws Error for what is not known here: a Deny, or an operator of a condition
 */
export function statementsThatAllow(
  statements: readonly PolicyStatement[],
  request: AccessRequest,
): PolicyStatement[] {
  return statements.filter((statement) => {
    if (statement.Effect !== 'Allow') throw new Error(`Effect ${statement.Effect} is not evaluated`);
    return (
      listOf(statement.Action).some((action) => matches(action, request.action)) &&
      listOf(statement.Resource).some((resource) => matches(resource, request.resource)) &&
      conditionHolds(statement, request)
    );
  });
}

function conditionHolds({ Condition = {} }: PolicyStatement, { context = {} }: AccessRequest): boolean {
  return Object.entries(Condition).every(([operator, keys]) => {
    const test = operators[operator];
    if (test === undefined) throw new Error(`Operator ${operator} is not evaluated`);
    return Object.entries(keys).every(([key, wanted]) => test(context[key] ?? [], listOf(wanted)));
  });
}

/** `*` and `?` stand for any characters, `${*}` for an asterisk. */
function matches(pattern: string, value: string): boolean {
  const parts = pattern.split(/(\$\{[*?$]\}|[*?])/);
  const expression = parts.map((part) => {
    if (part === '*') return '.*';
    if (part === '?') return '.';
    return escaped(/^\$\{.\}$/.test(part) ? part.slice(2, 3) : part);
  });
  return new RegExp(`^${expression.join('')}$`, 's').test(value);
}

export function listOf<T>(value: T | readonly T[] | undefined): readonly T[] {
  if (value === undefined) return [];
  return Array.isArray(value) ? value : [value as T];
}

function escaped(literal: string): string {
  return literal.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&');
}
