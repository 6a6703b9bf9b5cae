/** What stands in place of a secret. */
export const MASK = '***';

/** What the names of secrets end with, in headers, options, query parameters and environment variables alike. */
const endings = [
  'authorization',
  'cookie',
  'cookies',
  'api[-_]?key',
  'access[-_]?key',
  'secret[-_]?key',
  'private[-_]?key',
  'password',
  'passwd',
  'passphrase',
  'secret',
  'token',
  'jwt',
  'credential',
  'credentials',
  'x-amz-signature',
].join('|');

const MAX_NAME = 64;
const nameEnding = new RegExp(`(?:${endings})$`, 'i');

/** Whether a value of that name is a secret by itself, such as `Authorization` or `clientSecret`. */
export function isSecretName(name: string): boolean {
  return nameEnding.test(name.slice(-MAX_NAME).trim());
}

/** A flag or a value that is missing tells no secret, as in `hasToken: true`. */
export function isSecretValue(value: unknown): boolean {
  return value !== undefined && value !== null && typeof value !== 'boolean';
}

/**
 * The elements of a list with secrets masked: where the name of one is an element, as in the raw headers of Node or a
 * pair of `Object.entries`, the next element is its value.
 */
export function isSecretElement(list: readonly unknown[], index: number): boolean {
  const name = list[index - 1];
  return typeof name === 'string' && isSecretName(name) && isSecretValue(list[index]);
}

const quoted = String.raw`"(?:[^"\\]|\\.)*"?|'(?:[^'\\]|\\.)*'?|\\+"[^"\\]*`;

/** No line and no header holds more, and a pattern that has to keep more of a text than it can throws. */
const MAX_TEXT = 1024 * 1024;

/** How secrets stand in text: all take time that grows with its length alone. */
const inText: readonly [RegExp, string][] = [
  // `"password":"…"` of JSON, also within strings of JSON, and `password: '…'` as `inspect` writes it.
  [new RegExp(`(${endings})(\\\\*["']?[ \\t]?:[ \\t]?)(?:${quoted})`, 'gi'), `$1$2${MASK}`],
  // `"token":123`.
  [
    new RegExp(`(${endings})(\\\\*["'][ \\t]?:[ \\t]?)(?!true|false|null|\\*)[^\\s,}\\]]+`, 'gi'),
    `$1$2${MASK}`,
  ],
  // `Authorization: Bearer …` of a request as it is sent.
  [/((?:authorization|cookie|api-?key|-token|-secret)[ \t]?:)(?![ \t]?\*)[^\r\n"'\\]+/gi, `$1 ${MASK}`],
  // `?access_token=…` of a URL or a form, and `password="…"` of a connection string.
  [new RegExp(`((?:${endings})=)(?:"[^"]*"?|'[^']*'?|[^\\s&;,"'<>]+)`, 'gi'), `$1${MASK}`],
  // `https://user:password@host`.
  [/(\/\/)[^\s/?#@:]{0,256}:[^\s/?#@]{1,256}@/g, `$1${MASK}@`],
  [/\b((?:Bearer|Basic) )[\w.~+/=-]{16,}/gi, `$1${MASK}`],
];

/** A text with the secrets masked that stand in it behind their names; only the beginning of a very long one. */
export function withoutSecrets(text: string): string {
  const told = text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text;
  return inText.reduce((masked, [pattern, mask]) => masked.replace(pattern, mask), told);
}

/** For `JSON.stringify`. */
export function maskSecrets(this: unknown, name: string, value: unknown): unknown {
  const isSecret = Array.isArray(this)
    ? isSecretElement(this, Number(name))
    : isSecretName(name) && isSecretValue(value);
  if (isSecret) return MASK;
  return typeof value === 'string' ? withoutSecrets(value) : value;
}
