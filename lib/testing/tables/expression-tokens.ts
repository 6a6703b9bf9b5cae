/** An expression that the test kit does not evaluate: its reason. */
export class NotEvaluated extends Error {}

/** What DynamoDB refuses as well: its reason. */
export class Refused extends Error {}

const token = /\s*(<>|<=|>=|[=<>(),+-]|[:#]?[\w.#[\]]+)/y;

/** The words and signs of an expression, one after another. */
export class ExpressionTokens {
  readonly #tokens: string[] = [];

  constructor(expression: string) {
    token.lastIndex = 0;
    const end = expression.trimEnd().length;
    while (token.lastIndex < end) {
      const [, found] = token.exec(expression) ?? [];
      if (found === undefined) throw new NotEvaluated(`'${expression}' cannot be read`);
      this.#tokens.push(found);
    }
  }

  get next(): string | undefined {
    return this.#tokens[0];
  }

  take(): string {
    const [first] = this.#tokens.splice(0, 1);
    if (first === undefined) throw new NotEvaluated('the expression ends too early');
    return first;
  }

  /** Takes a word or sign if it comes next; words in any case. */
  takeIf(expected: string): boolean {
    if (this.next?.toUpperCase() !== expected.toUpperCase()) return false;
    this.take();
    return true;
  }

  expect(expected: string): void {
    if (!this.takeIf(expected))
      throw new NotEvaluated(`'${this.next ?? 'its end'}' stands where ${expected} is expected`);
  }

  /** Reads what stands between commas, up to one that no comma follows. */
  list<T>(read: () => T): T[] {
    const elements: T[] = [];
    do elements.push(read());
    while (this.takeIf(','));
    return elements;
  }

  expectEnd(): void {
    if (this.next !== undefined) throw new NotEvaluated(`'${this.next}' is not expected`);
  }
}
