import type { IncomingHttpHeaders } from 'node:http';

/** Names of this machine that no name server of somebody else can give another address, or be given. */
const loopback = String.raw`(?:(?:[\w.-]+\.)?localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$`;
const loopbackHost = new RegExp(`^${loopback}`, 'i');
const loopbackOrigin = new RegExp(`^https?://${loopback}`, 'i');

/**
 * Why a request is not answered: a web page made it, of somebody else. The loopback interface keeps other machines out,
 * but not the pages in a browser of this one. A page whose name leads here (DNS rebinding) sends its name as `Host`,
 * any other one its `Origin`, or with a GET no more than `Sec-Fetch-Site`.
 *
 * Sources: RFC 9110, "Host and :authority"; Fetch Standard, "Origin header"; "Fetch Metadata Request Headers", W3C.
 *
 * @returns undefined for a request of a program or a page of this machine
 */
export function foreignRequest({
  host = '',
  origin,
  'sec-fetch-site': site,
}: IncomingHttpHeaders): string | undefined {
  if (!loopbackHost.test(host)) {
    return `Refused: the request is for the host '${host}'. Call this server as 127.0.0.1 or localhost.\n`;
  }
  if (origin === undefined ? site === 'cross-site' : !loopbackOrigin.test(origin)) {
    const page = origin === undefined ? 'another site' : `'${origin}'`;
    return `Refused: a web page of ${page} made the request. Only pages of localhost may.\n`;
  }
  return undefined;
}
