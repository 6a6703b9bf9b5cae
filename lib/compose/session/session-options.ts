import type { Duration } from '../../kernel/duration.ts';
import type { Contract } from '../../messages/contracts/contract.ts';
import type { ListedContracts } from '../../messages/contracts/listed-contracts.ts';
import type { EndpointOptions } from '../options.ts';

/** The options of an endpoint that a session does not use: those of sagas, and of going without an outbox. */
type OfMessages = 'sagaTable' | 'sagaStore' | 'locking' | 'mapper' | 'outbox' | 'onSagaNotFound';

/** A session sends no replies. */
export type SessionContracts<
  Sends extends readonly Contract[] = readonly Contract[],
  Publishes extends readonly Contract[] = readonly Contract[],
> = Omit<ListedContracts<Sends, Publishes>, 'replies'>;

/**
 * The contracts of a session as its handler gets them: in mutable lists, as a handler names them in its type.
 * The lists of options that are declared `as const` are readonly.
 */
export type HandlerContracts<
  Sends extends readonly Contract[],
  Publishes extends readonly Contract[],
> = Required<SessionContracts<Mutable<Sends>, Mutable<Publishes>>>;

type Mutable<List extends readonly Contract[]> = { -readonly [Index in keyof List]: List[Index] };

interface SessionOptions extends Omit<EndpointOptions, OfMessages>, SessionContracts {
  /**
   * The name of what the handler does, such as `charge`. Two operations never share a record, also for the
   * same event under the same key: name them when one function runs several. See
   * docs/guide/sessions.md#what-is-compared.
   *
   * @default - method and route of an HTTP request, type and field of a GraphQL API; for any other event
   *   the environment variable SAGABOX_OPERATION, which a `SendOnlyEndpoint` sets, else
   *   AWS_LAMBDA_FUNCTION_NAME
   */
  operation?: string;
  /**
   * Returns the idempotency key of an event, or undefined if it has none. A request that comes again under
   * its key gets the stored response. `idempotencyKeyHeader()` reads the header of an HTTP request.
   *
   * @default - HTTP requests have none, and each of them is new; any other event has an id of its own, see
   *   docs/guide/sessions.md#events-that-are-no-http-requests
   */
  idempotencyKey?: (event: never) => string | undefined;
  /**
   * Whether a request without an idempotency key is refused: an HTTP request with status 400, any other event
   * with `IdempotencyKeyMissing`.
   *
   * @default false
   */
  requireIdempotencyKey?: boolean;
  /**
   * Whether of two requests with one key only one runs at a time: the other one waits for its response, and
   * is answered with status 409 after a while. It costs a write in place of a read. `{ leaseDuration,
   * waitTimeout }` sets the times: by default the time that the invocation has left, outside of Lambda 5
   * minutes, and 10 s. See docs/guide/sessions.md#two-requests-at-the-same-time.
   *
   * @default - false: both may run, one commits, and both answer with its response
   */
  exclusive?: boolean | ExclusiveOptions;
  /**
   * Whether an HTTP response of that status is committed and stored. Otherwise nothing is committed, stored
   * or sent, and the response is returned.
   *
   * @default - those below 500
   */
  commitsStatus?: (statusCode: number) => boolean;
}

export interface ExclusiveOptions {
  /**
   * The time after which another request may run, if the function of the first one died.
   *
   * @default - the time that its invocation has left; outside of Lambda { minutes: 5 }
   */
  leaseDuration?: Duration;
  /**
   * How long a request waits for the response to the first one.
   *
   * @default { seconds: 10 }
   */
  waitTimeout?: Duration;
}

/**
 * Options of `outboxSession` and `runOutboxSession`. Keys of one caller are told apart from those of others:
 * by what the authorizer of the API says, by `caller`, or not at all with `scope: 'public'`.
 */
export type OutboxSessionOptions = SessionOptions &
  (
    | {
        /**
         * Returns the identity of whoever sent an event; see docs/guide/sessions.md#the-caller.
         *
         * @default - the subject of the token, the IAM identity or the principal that the authorizer of the
         *   API tells. An event of EventBridge, SQS, a schedule or a stream needs none; any other event with
         *   a key and without any of these fails with `Configuration`
         */
        caller?: (event: never) => string | undefined;
        scope?: undefined;
      }
    | {
        caller?: undefined;
        /** All callers share their keys: whoever knows the key of a request gets its response. */
        scope: 'public';
      }
  );
