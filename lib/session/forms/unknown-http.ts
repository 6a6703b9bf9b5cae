import { isJsonObject } from '../../kernel/values/value-kind.ts';
import { objectOr } from './fields.ts';

/** Fields that forms of HTTP requests have, and other events do not. */
const fields = [
  'httpMethod',
  'rawPath',
  'raw_path',
  'rawQueryString',
  'queryStringParameters',
  'query_string_parameters',
  'pathParameters',
  'isBase64Encoded',
  'is_base64_encoded',
  'methodArn',
  'routeArn',
  'body-json',
];

/** Fields of a `requestContext` of an API: that of a destination of a function has others. */
const contextFields = [
  'http',
  'httpMethod',
  'resourcePath',
  'routeKey',
  'connectionId',
  'elb',
  'serviceNetworkArn',
];

/** Objects of headers: of REST and HTTP APIs, ALB and the like, of AppSync, of mapping templates, of S3 Object Lambda. */
const holders = [
  ['headers'],
  ['multiValueHeaders'],
  ['requestHeaders'],
  ['request', 'headers'],
  ['params', 'header'],
  ['userRequest', 'headers'],
  ['cf', 'request'],
];

/**
 * Where an event of no known form looks like an HTTP request, as in `event.headers`; undefined if it does not.
 * Such an event may be of a mapping template, of Lambda@Edge or of an authorizer.
 */
export function unknownHttpPath(event: unknown): string | undefined {
  if (Array.isArray(event)) return pathWithin(event[0], 'event[0]');
  const { Records: records } = objectOr(event);
  const ofRecord = Array.isArray(records) ? pathWithin(records[0], 'event.Records[0]') : undefined;
  return ofRecord ?? pathWithin(event, 'event');
}

function pathWithin(event: unknown, of: string): string | undefined {
  if (!isJsonObject(event)) return undefined;
  const field = fields.find((name) => event[name] !== undefined && event[name] !== null);
  if (field !== undefined) return field === 'body-json' ? `${of}['${field}']` : `${of}.${field}`;
  const context = objectOr(event.requestContext);
  const ofContext = contextFields.find((name) => context[name] !== undefined && context[name] !== null);
  if (ofContext !== undefined) return `${of}.requestContext.${ofContext}`;
  const holder = holders.find((names) => isJsonObject(names.reduce<unknown>(memberOf, event)));
  return holder && [of, ...holder].join('.');
}

function memberOf(value: unknown, name: string): unknown {
  return objectOr(value)[name];
}
