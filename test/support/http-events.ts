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

/** Of a service of VPC Lattice, in version 1 of the event structure. */
export function latticeEvent(parts: RequestParts = {}) {
  const { method = 'POST', path = '/orders', body = '{"orderId":"42"}' } = parts;
  const headers = { 'content-type': 'application/json', ...parts.headers };
  return {
    raw_path: path,
    method,
    headers,
    query_string_parameters: {},
    body,
    is_base64_encoded: false,
  };
}

/** The same in version 2, whose headers are lists. */
export function latticeEvent2(parts: RequestParts = {}) {
  const { method = 'POST', path = '/orders', body = '{"orderId":"42"}' } = parts;
  const headers = { 'content-type': 'application/json', ...parts.headers };
  return {
    version: '2.0',
    path,
    method,
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]])),
    queryStringParameters: {},
    body,
    isBase64Encoded: false,
    requestContext: {
      serviceNetworkArn: 'arn:aws:vpc-lattice:eu-central-1:123456789012:servicenetwork/sn-1',
      serviceArn: 'arn:aws:vpc-lattice:eu-central-1:123456789012:service/svc-1',
      identity: parts.authorizer ?? { type: 'AWS_IAM', principal: 'arn:aws:iam::123456789012:role/ann' },
      region: 'eu-central-1',
      timeEpoch: '1690497599177430',
    },
  };
}

/** Of a REST API or ALB as tests write it: the context of the request is left out. */
export function bareEvent(parts: RequestParts = {}) {
  const { method = 'POST', path = '/orders', body = '{"orderId":"42"}' } = parts;
  return { httpMethod: method, path, headers: { ...parts.headers }, body };
}

/** Of an HTTP API as tests write it: the route alone tells the method. */
export function bareHttpApiEvent(parts: RequestParts = {}) {
  const { method = 'POST', path = '/orders', body = '{"orderId":"42"}' } = parts;
  return {
    version: '2.0',
    routeKey: `${method} ${path}`,
    rawPath: path,
    headers: { ...parts.headers },
    body,
  };
}

/** Of a message that a client sends over a WebSocket API: the key is in it, as only a connection has headers. */
export function webSocketEvent(key: string, parts: RequestParts & { readonly connectionId?: string } = {}) {
  const { method = 'MESSAGE', path = 'placeOrder', connectionId = 'c-1', authorizer } = parts;
  return {
    requestContext: {
      routeKey: path,
      eventType: method,
      connectionId,
      messageId: 'm-1',
      messageDirection: 'IN',
      requestId: 'r-1',
      apiId: 'api',
      identity: { sourceIp: '192.0.2.1' },
      authorizer: authorizer ?? { principalId: 'ann' },
    },
    body: parts.body ?? JSON.stringify({ action: path, key }),
    isBase64Encoded: false,
  };
}

/** Of a GraphQL API that resolves a field by a function, without a mapping. */
export function appSyncEvent(
  parts: RequestParts & { readonly arguments?: object; readonly source?: object } = {},
) {
  const { method = 'Mutation', path = 'placeOrder', authorizer, source = null } = parts;
  return {
    arguments: parts.arguments ?? { orderId: '42' },
    source,
    identity:
      authorizer === undefined ? { sub: 'ann', issuer: 'https://issuer.test', claims: {} } : authorizer,
    request: { headers: { 'x-forwarded-for': '192.0.2.1', ...parts.headers }, domainName: null },
    prev: null,
    info: {
      fieldName: path,
      parentTypeName: method,
      variables: {},
      selectionSetList: ['id'],
      selectionSetGraphQL: '{\n  id\n}',
    },
    stash: {},
  };
}

export function sqsMessage(messageId: string, body: string) {
  return {
    messageId,
    receiptHandle: `handle-${messageId}`,
    body,
    attributes: { ApproximateReceiveCount: '1' },
    messageAttributes: {},
    eventSource: 'aws:sqs',
    eventSourceARN: 'arn:aws:sqs:eu-central-1:123456789012:orders',
    awsRegion: 'eu-central-1',
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
