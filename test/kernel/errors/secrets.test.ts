import { describe, expect, it } from '@jest/globals';
import { isSecretName, withoutSecrets } from '../../../lib/kernel/errors/secrets.ts';
import { describeError } from '../../../lib/messages/failures/failure-facts.ts';
import { failureFields } from '../../../lib/observe/logs/log-fields.ts';
import { logLine } from '../../../lib/observe/logs/log-line.ts';

const SECRET = 'hunter2-hunter2-hunter2';

describe('the name of a secret', () => {
  it.each([
    'authorization',
    'Authorization',
    'Proxy-Authorization',
    'cookie',
    'Set-Cookie',
    'x-api-key',
    'X-API-Key',
    'apiKey',
    'stripe_api_key',
    'password',
    'DB_PASSWORD',
    'passphrase',
    'secret',
    'clientSecret',
    'client_secret',
    'token',
    'accessToken',
    'refresh_token',
    'x-amz-security-token',
    'X-Auth-Token',
    'secretAccessKey',
    'private_key',
    'credentials',
    'X-Amz-Signature',
    `${'x'.repeat(1000)}-token`,
  ])('is %s', (name) => {
    expect(isSecretName(name)).toBe(true);
  });

  it.each(['', 'orderId', 'tokens', 'tokenCount', 'passwordHint', 'secretary', 'cookieName', 'author', '0'])(
    "is not '%s'",
    (name) => {
      expect(isSecretName(name)).toBe(false);
    },
  );
});

describe('a text', () => {
  it.each([
    [`Authorization: Bearer ${SECRET}`, 'Authorization: ***'],
    [
      `GET / HTTP/1.1\r\nAuthorization: Basic ${SECRET}\r\nHost: a`,
      'GET / HTTP/1.1\r\nAuthorization: ***\r\nHost: a',
    ],
    [`Cookie: id=${SECRET}; theme=dark`, 'Cookie: ***'],
    [`x-api-key:${SECRET}`, 'x-api-key: ***'],
    [`{"user":"ada","password":"${SECRET}"}`, '{"user":"ada","password":***}'],
    [`{"password":"${SECRET}`, '{"password":***'],
    [`{"password":"a\\"${SECRET}","user":"ada"}`, '{"password":***,"user":"ada"}'],
    [
      `{"a":"{\\"b\\":\\"{\\\\\\"password\\\\\\":\\\\\\"${SECRET}\\\\\\"}\\"}"}`,
      '{"a":"{\\"b\\":\\"{\\\\\\"password\\\\\\":***\\\\\\"}\\"}"}',
    ],
    [`Server=db;Password="two ${SECRET}";Port=1`, 'Server=db;Password=***;Port=1'],
    [
      `{"name":"Authorization","value":"Basic ${SECRET.replaceAll('-', '')}=="}`,
      '{"name":"Authorization","value":"Basic ***"}',
    ],
    [`{"token":12345,"user":"ada"}`, '{"token":***,"user":"ada"}'],
    [`"{\\"password\\":\\"${SECRET}\\"}"`, '"{\\"password\\":***\\"}"'],
    [
      `{ headers: { Authorization: 'Bearer ${SECRET}', accept: 'x' } }`,
      "{ headers: { Authorization: ***, accept: 'x' } }",
    ],
    [`https://a.example/?access_token=${SECRET}&page=2`, 'https://a.example/?access_token=***&page=2'],
    [`https://a.example/?X-Amz-Signature=${SECRET}`, 'https://a.example/?X-Amz-Signature=***'],
    [`postgres://ada:${SECRET}@db.example/shop`, 'postgres://***@db.example/shop'],
    [`refused: Bearer ${SECRET}`, 'refused: Bearer ***'],
  ])('has none: %s', (text, masked) => {
    expect(withoutSecrets(text)).toBe(masked);
    expect(withoutSecrets(masked)).toBe(masked);
  });

  it.each([
    'Unexpected token } in JSON at position 5',
    `Unexpected token '<', "<html>" is not valid JSON`,
    'The token: expired',
    '{"hasToken":true,"token":null}',
    'the secret of the shop',
    'https://a.example/a:b/c@d',
    'Set its TableName: is the password right?',
    "Set the message attribute 'Sagabox.MessageType', or add a handler.",
  ])('is left as it is: %s', (text) => {
    expect(withoutSecrets(text)).toBe(text);
  });

  it.each([
    'a',
    'token',
    'token ',
    '"',
    '\\',
    'password="',
    '//',
    '//a:',
    'authorization:',
    "token':'",
    'Bearer ',
    'password\\',
    "password='",
  ])('takes time that grows with its length alone: %j, repeated', (part) => {
    const steps = (length: number) => withoutSecrets(part.repeat(length / part.length)).length;
    expect(steps(256 * 1024)).toBeGreaterThan(0);
  });
});

describe('a text of any length', () => {
  it.each(['Bearer ', '"password":"', "'password':'", 'password="', 'Authorization: '])(
    'has none behind %s, and is cut',
    (begin) => {
      const text = `${begin}${'a'.repeat(32 * 1024 * 1024)}`;
      expect(withoutSecrets(text)).toMatch(/\*\*\*…?$/);
      expect(describeError(new Error(text)).message).toMatch(/\*\*\*…?$/);
    },
  );
});

/** An error of an HTTP client, as each of them makes it. */
const clients: readonly [string, () => unknown][] = [
  [
    'axios',
    () => {
      const headers = { Accept: 'json', Authorization: `Bearer ${SECRET}` };
      const config = { url: `/charge?api_key=${SECRET}`, headers, data: `{"password":"${SECRET}"}` };
      const request = {
        _header: `POST /charge HTTP/1.1\r\nAuthorization: Bearer ${SECRET}\r\n\r\n`,
        path: '/',
      };
      const response = { status: 402, headers: { 'set-cookie': [`session=${SECRET}`] }, config, request };
      const auth = { username: 'ada', password: SECRET };
      return Object.assign(new Error('Request failed with status code 402'), {
        name: 'AxiosError',
        config: { ...config, auth },
        request,
        response,
        status: 402,
      });
    },
  ],
  [
    'got',
    () =>
      Object.assign(new Error('Response code 402'), {
        name: 'HTTPError',
        code: 'ERR_NON_2XX_3XX_RESPONSE',
        options: { headers: { authorization: `Bearer ${SECRET}`, 'user-agent': 'got' } },
        request: { requestUrl: new URL(`https://ada:${SECRET}@a.example/`) },
        response: { rawHeaders: ['Date', 'today', 'Set-Cookie', `id=${SECRET}`], statusCode: 402 },
      }),
  ],
  [
    'undici',
    () =>
      Object.assign(new Error('Response status code 402'), {
        name: 'ResponseStatusCodeError',
        statusCode: 402,
        body: { accessToken: SECRET },
        headers: { 'x-api-key': SECRET, 'content-type': 'json' },
        request: { headers: [['authorization', `Bearer ${SECRET}`]], body: `token=${SECRET}` },
      }),
  ],
  [
    'a map',
    () => Object.assign(new Error('402'), { headers: new Map([['Authorization', SECRET]]), status: 402 }),
  ],
  ['its message', () => new Error(`402 for Authorization: Bearer ${SECRET}`)],
  ['no error at all', () => ({ status: 402, headers: { Authorization: SECRET } })],
];

const nested: readonly [string, (error: unknown) => unknown][] = [
  ['it', (error) => error],
  ['its cause', (cause) => new Error('charging failed with 402', { cause })],
  ['the cause of its cause', (cause) => new Error('402', { cause: new Error('inner', { cause }) })],
  ['one of several', (error) => new AggregateError([new Error('402'), error], 'some failed')],
];

describe.each(clients)('an error of %s', (_client, make) => {
  it.each(nested)('shows no secret in a log line and in the error queue: %s', (_place, wrap) => {
    const error = wrap(make());
    const line = logLine({ timestamp: '', level: 'ERROR', message: 'failed' }, failureFields(error));
    const told = [line, JSON.stringify(describeError(error))];
    expect(told.join()).toContain('402');
    expect(told.join()).not.toContain('hunter2');
  });
});

it('a line that a handler writes shows none either', () => {
  const line = logLine(
    { timestamp: '', level: 'INFO', message: `Called with token=${SECRET}` },
    { orderId: '7', request: { headers: { cookie: SECRET }, hasToken: true } },
  );
  expect(JSON.parse(line)).toMatchObject({
    message: 'Called with token=***',
    orderId: '7',
    request: { headers: { cookie: '***' }, hasToken: true },
  });
});
