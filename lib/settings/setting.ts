import { configurationError } from '../kernel/errors/errors.ts';

/** The environment variables of a function or a process. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The beginning of the names of all variables. */
export const VARIABLE_PREFIX = 'SAGABOX_';

/**
 * A setting that the constructs give to a function in an environment variable: they encode it, and the function
 * decodes it. `Written` has more values than `Value` where the constructs write a shorter form, or a number that
 * is known only at deployment.
 */
export interface Setting<Value, Written = Value> {
  /** The option that comes before the variable; `undefined` if there is none. */
  readonly option?: string;
  readonly variable: `${typeof VARIABLE_PREFIX}${string}`;
  /** Strings in the value may hold tokens of the CDK, which stay whole. @default - {@link asText} */
  readonly encode?: (value: Written) => string;
  /**
   * @param environment the other variables of the function, such as its region
   * @returns `undefined` for a variable that says nothing
   * @throws SagaboxError `Configuration`
   */
  readonly decode: (text: string, environment: Environment) => Value | undefined;
}

/** What the runtime needs of a setting. */
type ReadSetting<Value> = Pick<Setting<Value>, 'variable' | 'decode'>;

/** What the constructs need of a setting. */
export type WrittenSetting<Written> = Pick<Setting<never, Written>, 'variable' | 'encode'>;

/**
 * The value of a setting: that of its option, else that of its variable, else the default.
 *
 * @throws SagaboxError `Configuration` for a variable that cannot be decoded
 */
export function settingOf<Value>(
  setting: ReadSetting<Value>,
  option: Value | undefined,
  environment: Environment,
): Value | undefined;
export function settingOf<Value>(
  setting: ReadSetting<Value>,
  option: Value | undefined,
  environment: Environment,
  fallback: NoInfer<Value>,
): Value;
export function settingOf<Value>(
  setting: ReadSetting<Value>,
  option: Value | undefined,
  environment: Environment,
  fallback?: Value,
): Value | undefined {
  return option ?? decoded(setting, environment) ?? fallback;
}

/** @throws SagaboxError `Configuration` for a variable that cannot be decoded */
export function decoded<Value>(
  { variable, decode }: ReadSetting<Value>,
  environment: Environment,
): Value | undefined {
  const text = environment[variable];
  return text === undefined ? undefined : decode(text, environment);
}

/** The variable of a setting with its value; none for `undefined`. */
export function encoded<Written>(
  setting: WrittenSetting<Written>,
  value: Written | undefined,
): Record<string, string> {
  return value === undefined ? {} : { [setting.variable]: encode(setting, value) };
}

export function encode<Written>(setting: WrittenSetting<Written>, value: Written): string {
  return (setting.encode ?? asText)(value);
}

/** A string as it is, and anything else as JSON. */
export function asText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** The name of a setting in an error, which does not know whether the option or the variable is wrong. */
export function optionOrVariable({ option, variable }: Pick<Setting<never>, 'option' | 'variable'>): string {
  return `${option} (or ${variable})`;
}

/**
 * @param remedy what the variable is to hold
 * @throws SagaboxError `Configuration`
 */
export function parseJson(variable: string, text: string, remedy: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw configurationError(variable, 'it is not JSON', remedy, { cause: error });
  }
}
