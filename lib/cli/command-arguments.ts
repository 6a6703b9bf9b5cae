import { parseArgs } from 'node:util';

type Token = NonNullable<ReturnType<typeof parseArgs>['tokens']>[number];

export type OptionDefinitions = Readonly<
  Record<
    string,
    { readonly type: 'string' | 'boolean'; readonly short?: string; readonly multiple?: boolean }
  >
>;

/** What was given, by the name of the option: a text, `true`, or several texts where an option may be repeated. */
export type OptionValues = Readonly<Record<string, string | true | readonly string[]>>;

/** What was given to an option that takes one text. */
export function textOf(values: OptionValues, name: string): string | undefined {
  const value = values[name];
  return typeof value === 'string' ? value : undefined;
}

/** Reads the arguments of a command, and tells every problem of theirs, not the first one alone. */
export function readArguments(
  args: readonly string[],
  definitions: OptionDefinitions,
): { values: OptionValues; problems: readonly string[] } {
  const { tokens } = parseArgs({
    args: withNegativeValues(args, definitions),
    options: definitions,
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const values: Record<string, string | true | string[]> = {};
  const problems: string[] = [];
  for (const [position, token] of tokens.entries()) {
    if (token.kind === 'positional' && !isValueOfUnknown(tokens[position - 1], definitions)) {
      problems.push(`'${token.value}' is no option: options start with --`);
    }
    if (token.kind !== 'option') continue;
    const { name, rawName, value, inlineValue } = token;
    const definition = Object.hasOwn(definitions, name) ? definitions[name] : undefined;
    if (definition === undefined) problems.push(`There is no option '${rawName}'`);
    else if (definition.type === 'boolean') {
      if (value !== undefined) problems.push(`${rawName} takes no value, but '${value}' is given`);
      values[name] = true;
    } else if (value === undefined || value === '' || (!inlineValue && value.startsWith('-')))
      problems.push(`${rawName} takes a value, and none is given`);
    else if (definition.multiple) values[name] = [...((values[name] as string[] | undefined) ?? []), value];
    else if (values[name] !== undefined) problems.push(`${rawName} is given twice`);
    else values[name] = value;
  }
  return { values, problems };
}

/** In `--bogus 3` the 3 is nothing more to tell. */
function isValueOfUnknown(before: Token | undefined, definitions: OptionDefinitions): boolean {
  return before?.kind === 'option' && before.value === undefined && !Object.hasOwn(definitions, before.name);
}

/**
 * The problems of the arguments and those of what they say. An option that was given without a right value is not told to be
 * missing besides.
 */
export function allProblems(ofArguments: readonly string[], others: readonly string[]): string[] {
  const isTold = (problem: string) => {
    const [option] = /^--[\w-]+(?=: is missing$)/.exec(problem) ?? [];
    return option !== undefined && ofArguments.some((told) => told.startsWith(`${option} `));
  };
  return [...ofArguments, ...others.filter((problem) => !isTold(problem))];
}

/** `--size -5` would be read as an option without a value, followed by an option `-5`. */
function withNegativeValues(args: readonly string[], definitions: OptionDefinitions): string[] {
  const joined: string[] = [];
  for (const arg of args) {
    const before = joined.at(-1)?.replace(/^--/, '') ?? '';
    const takesIt = Object.hasOwn(definitions, before) && definitions[before]?.type === 'string';
    if (takesIt && /^-[\d.I]/.test(arg)) joined.push(`${joined.pop()}=${arg}`);
    else joined.push(arg);
  }
  return joined;
}
