import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import type { Emulator } from '../engine/emulator.ts';
import { type PlaceByHttp, partsOf, type WayByHttp } from './requests.ts';

/** Those that the handler sets. */
const handlerHeaders = ['content-type', 'location', 'set-cookie'];

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
  return async (request) => {
    const response = await fetch(url, { method: 'POST', ...partsOf(request) });
    const headers = Object.fromEntries(handlerHeaders.map((name) => [name, response.headers.get(name)]));
    return { status: response.status, headers, body: await response.text() };
  };
}
