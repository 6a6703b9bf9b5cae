import { isJsonObject } from '../checks/value-kind.ts';
import { noteNumber, parseExactly } from '../exact-json.ts';
import { isNestedDeeper } from '../outgoing/nesting.ts';

/** What a session takes of an HTTP request, in whichever of its forms Lambda got it. */
export interface HttpRequest {
  readonly method: string;
  /** As the API names it, such as `/orders/{id}`; the path where the event names none. */
  readonly route: string;
  /** What makes another request of it under the same key: path, body, query and path parameters. */
  readonly content: unknown;
  /** Whom the authorizer of the API identified; undefined if there is none. */
  readonly principal: string | undefined;
  /** Whether headers of the answer are lists, as ALB wants them when it sends lists. */
  readonly answersInLists: boolean;
}

type Fields = Readonly<Record<string, unknown>>;

/**
 * The HTTP request of an event: from API Gateway in payload format 1.0 or 2.0, a function URL, or ALB;
 * undefined for any other event. Sources: "Create AWS Lambda proxy integrations for HTTP APIs in API Gateway",
 * "Invoking Lambda function URLs", "Use Lambda functions as targets of an Application Load Balancer".
 */
export function httpRequestOf(event: unknown): HttpRequest | undefined {
  if (!isJsonObject(event) || !isJsonObject(event.requestContext)) return undefined;
  const { requestContext: context } = event;
  if (isJsonObject(context.http) && event.version === '2.0') return payload2(event, context, context.http);
  return typeof event.httpMethod === 'string' ? payload1(event, context, event.httpMethod) : undefined;
}

/**
 * All values of a header of an HTTP request.
 *
 * @param name in lower case
 */
export function headerValues(event: unknown, name: string): readonly string[] {
  const { headers, multiValueHeaders } = objectOr(event);
  const lists = isJsonObject(multiValueHeaders) ? multiValueHeaders : objectOr(headers);
  const values: string[] = [];
  for (const key of Object.keys(lists)) {
    if (key.toLowerCase() !== name) continue;
    for (const value of [lists[key]].flat()) if (typeof value === 'string') values.push(value);
  }
  return values;
}

function payload2(event: Fields, context: Fields, http: Fields): HttpRequest {
  const { rawQueryString: query, pathParameters } = event;
  const path = stringOr(event.rawPath, stringOr(http.path, '/'));
  // 'POST /orders/{id}', or '$default', which stands for any path.
  const [, route = path] = /^\S+ (\/.*)$/.exec(stringOr(event.routeKey, '')) ?? [];
  return {
    method: stringOr(http.method, ''),
    route,
    content: withBody(event, {
      path,
      query: query || undefined,
      pathParameters: pathParameters ?? undefined,
    }),
    principal: payload2Principal(objectOr(context.authorizer)),
    answersInLists: false,
  };
}

function payload1(event: Fields, context: Fields, method: string): HttpRequest {
  const isOfAlb = isJsonObject(context.elb);
  const query = event.multiValueQueryStringParameters ?? event.queryStringParameters ?? undefined;
  const path = stringOr(event.path, '/');
  const resource = stringOr(event.resource, path);
  return {
    method,
    // '/orders/{id}', or '$default', which stands for any path.
    route: resource.startsWith('/') ? resource : path,
    content: withBody(event, { path, query, pathParameters: event.pathParameters ?? undefined }),
    // The headers of ALB that name a user can be sent by anybody past a rule without authentication.
    principal: isOfAlb
      ? undefined
      : payload1Principal(objectOr(context.authorizer), objectOr(context.identity)),
    answersInLists: isOfAlb && !isJsonObject(event.headers) && isJsonObject(event.multiValueHeaders),
  };
}

function payload2Principal({ jwt, iam, lambda }: Fields): string | undefined {
  const { cognitoIdentity, userArn } = objectOr(iam);
  return (
    subjectOf(objectOr(jwt).claims) ??
    nonEmpty(objectOr(cognitoIdentity).identityId) ??
    nonEmpty(userArn) ??
    nonEmpty(objectOr(lambda).principalId)
  );
}

function payload1Principal(
  { claims, principalId }: Fields,
  { cognitoIdentityId, userArn }: Fields,
): string | undefined {
  return (
    subjectOf(claims) ??
    nonEmpty(principalId) ??
    nonEmpty(cognitoIdentityId) ??
    nonEmpty(userArn) ??
    undefined
  );
}

/** Of a token: a subject is unique for its issuer only. */
function subjectOf(claims: unknown): string | undefined {
  const { iss, sub } = objectOr(claims);
  return nonEmpty(sub) && JSON.stringify([iss ?? null, sub]);
}

/** With the body as JSON where it is JSON: a client that repeats a request may write its names in another order. */
function withBody({ body, isBase64Encoded }: Fields, others: Fields): Fields {
  if (typeof body !== 'string') return { ...others, body: body ?? undefined };
  const text = isBase64Encoded === true ? Buffer.from(body, 'base64').toString('latin1') : body;
  const content = { ...others, body: parsed(text) ?? text };
  // A body that is nothing but a number is in no object that was read.
  noteNumber(content, 'body', content.body, text.trim());
  return content;
}

/** Longer bodies, and those of more levels, are compared as the text that they are: nobody waits for their numbers. */
const MAX_CHARACTERS = 256 * 1024;
const MAX_LEVELS = 500;

function parsed(text: string): unknown {
  if (text.length > MAX_CHARACTERS) return undefined;
  try {
    const value = parseExactly(text);
    return isNestedDeeper(value, MAX_LEVELS) ? undefined : value;
  } catch {
    // It throws for nothing but a text that is no JSON.
    return undefined;
  }
}

function objectOr(value: unknown): Fields {
  return isJsonObject(value) ? value : {};
}

function stringOr(value: unknown, other: string): string {
  return nonEmpty(value) ?? other;
}

function nonEmpty(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
