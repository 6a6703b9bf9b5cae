import { expect, it } from '@jest/globals';
import { answers } from '../../../examples/http-api/requests.ts';

it('examples/http-api answers a repeated request with the first response, and sends its message once', async () => {
  expect(await answers()).toEqual({
    'an order': '202, the handler has run',
    'the same request again': '202, the handler has not run',
    'another order under its key': '422, the handler has not run',
    'no JSON': '400, the handler has run',
    'no key': '400, the handler has not run',
    'messages sent': '1',
  });
});
