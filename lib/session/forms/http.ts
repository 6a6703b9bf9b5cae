import { isJsonObject } from '../../kernel/values/value-kind.ts';
import type { RequestForm } from './event-form.ts';
import { type Fields, nonEmpty, objectOr } from './fields.ts';
import { arnOfOne, authorizerPrincipal, payload2Principal } from './principals.ts';
import { type QueryParameters, queryOf, queryOfString } from './query-parameters.ts';
import { withBody } from './request-body.ts';

interface HttpParts {
  readonly method: string;
  readonly path: string;
  /** As the API names it, such as `/orders/{id}`. @default - the path */
  readonly route?: string | undefined;
  readonly query: QueryParameters | undefined;
  readonly isBase64Encoded: unknown;
  readonly pathParameters?: unknown;
  readonly principal: string | undefined;
  readonly answersInLists?: boolean;
}

/**
 * The HTTP request of an event: from API Gateway in payload format 1.0 or 2.0, a function URL, ALB, or VPC Lattice,
 * also as tests write it, without a `requestContext`. Undefined for any other event, and for one that lacks a
 * method or a path. Sources: "Create AWS Lambda proxy integrations for HTTP APIs in API Gateway", "Invoking Lambda
 * function URLs", "Use Lambda functions as targets of an Application Load Balancer", "Lambda functions as targets
 * in VPC Lattice".
 */
export function httpForm(event: Fields): RequestForm | undefined {
  // What API Gateway asks an authorizer has the fields of the request, and its answer is a policy.
  if ('methodArn' in event || 'routeArn' in event) return undefined;
  const parts = payload2(event) ?? payload1(event) ?? lattice(event);
  if (parts === undefined) return undefined;
  const {
    method,
    path,
    route = path,
    query,
    isBase64Encoded,
    pathParameters,
    principal,
    answersInLists = false,
  } = parts;
  return {
    kind: 'request',
    place: [method, route],
    type: `${method} ${route}`,
    content: withBody(
      { path, query, pathParameters: pathParameters ?? undefined },
      event.body,
      isBase64Encoded,
    ),
    principal,
    http: { answersInLists },
  };
}

/** 'POST /orders/{id}'; '$default' stands for any path. */
const routeKeyForm = /^(\S+) (\/.*)$/;

function payload2(event: Fields): HttpParts | undefined {
  const { http: given, authorizer } = objectOr(event.requestContext);
  const http = objectOr(given);
  const [, ofKey, route] = routeKeyForm.exec(nonEmpty(event.routeKey) ?? '') ?? [];
  const method = nonEmpty(http.method) ?? (ofKey === 'ANY' ? undefined : ofKey);
  const path = nonEmpty(event.rawPath) ?? nonEmpty(http.path) ?? route;
  if (method === undefined || path === undefined) return undefined;
  const { rawQueryString: query } = event;
  return {
    method,
    path,
    route,
    query: typeof query === 'string' ? queryOfString(query) : queryOf(event.queryStringParameters),
    isBase64Encoded: event.isBase64Encoded,
    pathParameters: event.pathParameters,
    principal: payload2Principal(objectOr(authorizer)),
  };
}

function payload1(event: Fields): HttpParts | undefined {
  const context = objectOr(event.requestContext);
  const isOfAlb = isJsonObject(context.elb);
  const resource = nonEmpty(event.resource);
  const method = nonEmpty(event.httpMethod);
  const path = nonEmpty(event.path) ?? resource;
  if (method === undefined || path === undefined) return undefined;
  const { multiValueQueryStringParameters: lists, queryStringParameters: single } = event;
  return {
    method,
    path,
    // '/orders/{id}', or '$default', which stands for any path.
    route: resource?.startsWith('/') ? resource : path,
    // ALB hands on the names and values as the client wrote them.
    query: queryOf(lists, isOfAlb) ?? queryOf(single, isOfAlb),
    isBase64Encoded: event.isBase64Encoded,
    pathParameters: event.pathParameters,
    // The headers of ALB that name a user can be sent by anybody past a rule without authentication.
    principal: isOfAlb ? undefined : authorizerPrincipal(context),
    answersInLists: isOfAlb && !isJsonObject(event.headers) && isJsonObject(event.multiValueHeaders),
  };
}

/** In the event structure of version 1 and 2. Of the identity of version 1, only a header tells. */
function lattice(event: Fields): HttpParts | undefined {
  const method = nonEmpty(event.method);
  const path = nonEmpty(event.raw_path) ?? nonEmpty(event.path);
  if (method === undefined || !/^[A-Z]+$/.test(method) || !path?.startsWith('/')) return undefined;
  const { type, principal } = objectOr(objectOr(event.requestContext).identity);
  return {
    method,
    path,
    query: queryOf(event.query_string_parameters) ?? queryOf(event.queryStringParameters),
    isBase64Encoded: event.is_base64_encoded ?? event.isBase64Encoded,
    principal: type === 'AWS_IAM' ? arnOfOne(principal) : undefined,
  };
}
