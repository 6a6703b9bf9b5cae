/**
 * A setting that is too large for the environment of a function, which takes 4 KB, is kept in parameters of
 * Systems Manager. Its environment variable then holds `ssm:`, a path that ends with the hash of what the
 * template says of the setting, `#` and the number of parts, such as
 * `ssm:/sagabox/Shop/Orders-1a2b3c4d/SAGABOX_DESTINATIONS/0123456789ab#2`. The setting is the JSON text that
 * the values of `<path>/000` and `<path>/001` form together.
 *
 * A setting that says something else has names of its own, a generation: no function reads a mix of two, and
 * the variable, hence the version of the function, changes with the setting.
 */
export interface SettingsReference {
  readonly path: string;
  readonly count: number;
}

const PREFIX = 'ssm:';

export function settingsReference({ path, count }: SettingsReference): string {
  return `${PREFIX}${path}#${count}`;
}

/** @returns `undefined` when the variable holds the setting itself, or is not set */
export function readSettingsReference(variable: string | undefined): SettingsReference | undefined {
  const [, path, count] = /^ssm:(\/[^#]+)#([1-9]\d*)$/.exec(variable ?? '') ?? [];
  return path === undefined ? undefined : { path, count: Number(count) };
}

/** The names of its parameters, in the order of their texts. */
export function parameterNames({ path, count }: SettingsReference): string[] {
  return Array.from({ length: count }, (_, index) => `${path}/${String(index).padStart(3, '0')}`);
}
