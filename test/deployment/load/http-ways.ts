import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import type { Emulator } from '../engine/emulator.ts';
import type { PlaceByHttp, WayByHttp } from './requests.ts';

/**
 * The HTTP API and the function URL of the proof's app, from outside and as anybody. The emulator serves both under
 * paths of its own address, as their hosts do not resolve here.
 */
export function httpWays(
  { endpoint, certificate }: Pick<Emulator, 'endpoint' | 'certificate'>,
  output: (name: string) => string,
): Readonly<Record<WayByHttp, PlaceByHttp>> {
  // Of this process: fetch has no option for it.
  setDefaultCACertificates([...getCACertificates('default'), certificate]);
  const [urlId] = new URL(output('FunctionUrl')).host.split('.');
  return {
    api: placingAt(`${endpoint}/_aws/execute-api/${output('HttpApiId')}/$default/orders`),
    url: placingAt(`${endpoint}/_aws/lambda-url/${urlId}/orders`),
  };
}

function placingAt(url: string): PlaceByHttp {
  return async (key, orderId, extras = {}) => {
    const headers = { 'content-type': 'application/json', 'idempotency-key': `"${key}"` };
    const response = await fetch(url, {
      method: 'POST',
      headers,
      body: JSON.stringify({ orderId, ...extras }),
    });
    return { status: response.status, body: await response.text() };
  };
}
