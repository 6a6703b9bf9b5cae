/** HTTP requests as Lambda gets them, in each form. */
export interface RequestParts {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly query?: string;
  readonly pathParameters?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly authorizer?: object;
}

/** Of an HTTP API in payload format 2.0. */
export function httpApiEvent(parts: RequestParts = {}) {
  const { method = 'POST', path = '/orders', query = '', body = '{"orderId":"42"}', pathParameters } = parts;
  return {
    version: '2.0',
    routeKey: `${method} ${path}`,
    rawPath: path,
    rawQueryString: query,
    headers: { 'content-type': 'application/json', ...parts.headers },
    requestContext: {
      http: { method, path },
      authorizer: parts.authorizer ?? {
        jwt: { claims: { iss: 'https://issuer.test', sub: 'ann' }, scopes: null },
      },
    },
    ...(pathParameters && { pathParameters }),
    body,
    isBase64Encoded: false,
  };
}

/** Of a function URL: the route is that of any path. */
export function functionUrlEvent(parts: RequestParts = {}) {
  const authorizer = parts.authorizer ?? { iam: { userArn: 'arn:aws:iam::123456789012:user/ann' } };
  return { ...httpApiEvent({ ...parts, authorizer }), routeKey: '$default' };
}

/** Of a REST API, or an HTTP API in payload format 1.0. */
export function restApiEvent(parts: RequestParts = {}) {
  const { method = 'POST', path = '/orders', body = '{"orderId":"42"}', pathParameters = null } = parts;
  const headers = { 'Content-Type': 'application/json', ...parts.headers };
  return {
    resource: path,
    path,
    httpMethod: method,
    headers,
    multiValueHeaders: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]])),
    queryStringParameters: null,
    multiValueQueryStringParameters: null,
    pathParameters,
    requestContext: {
      resourcePath: path,
      identity: {},
      authorizer: parts.authorizer ?? { principalId: 'ann' },
    },
    body,
    isBase64Encoded: false,
  };
}

/** Of an Application Load Balancer, with its headers as lists or not. */
export function albEvent(parts: RequestParts = {}, inLists = false) {
  const { method = 'POST', path = '/orders', body = '{"orderId":"42"}' } = parts;
  const headers = { 'content-type': 'application/json', ...parts.headers };
  const lists = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]]));
  return {
    requestContext: {
      elb: { targetGroupArn: 'arn:aws:elasticloadbalancing:eu-central-1:123456789012:targetgroup/a/b' },
    },
    httpMethod: method,
    path,
    ...(inLists
      ? { multiValueHeaders: lists, multiValueQueryStringParameters: {} }
      : { headers, queryStringParameters: {} }),
    body,
    isBase64Encoded: false,
  };
}

export function eventBridgeEvent(id: string, detail: object = {}) {
  return {
    version: '0',
    id,
    'detail-type': 'OrderPlaced',
    source: 'shop',
    account: '123456789012',
    time: '2026-11-24T10:00:00Z',
    region: 'eu-central-1',
    resources: [],
    detail,
  };
}
