import type { RequestForm } from './event-form.ts';
import { type Fields, nonEmpty, objectOr } from './fields.ts';
import { authorizerPrincipal } from './principals.ts';
import { queryOf } from './query-parameters.ts';
import { withBody } from './request-body.ts';

/**
 * A message or the beginning or end of a connection of a WebSocket API; undefined for any other event. Source:
 * "Set up a proxy integration in API Gateway for WebSocket APIs".
 */
export function webSocketForm(event: Fields): RequestForm | undefined {
  const context = objectOr(event.requestContext);
  const [eventType, routeKey] = [nonEmpty(context.eventType), nonEmpty(context.routeKey)];
  if (nonEmpty(context.connectionId) === undefined || !eventType || !routeKey) return undefined;
  const { multiValueQueryStringParameters: lists, queryStringParameters: single } = event;
  return {
    kind: 'request',
    place: ['websocket', eventType, routeKey],
    type: `${eventType} ${routeKey}`,
    // Not the connection: a client that repeats a message may have connected anew.
    content: withBody({ query: queryOf(lists) ?? queryOf(single) }, event.body, event.isBase64Encoded),
    principal: authorizerPrincipal(context),
    http: { answersInLists: false },
  };
}
