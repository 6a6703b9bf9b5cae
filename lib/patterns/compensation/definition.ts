import type { HandlerContext } from '../../handlers/handler-context.ts';
import type { Duration } from '../../kernel/duration.ts';
import type { Contract } from '../../messages/contracts/contract.ts';
import type { ContractBody, ContractType } from '../../messages/contracts/sender-contracts.ts';
import type { BodyOf, MessageSchemas } from '../../messages/schema.ts';
import type { SagaStateOptions } from '../../saga/definition/define-saga.ts';
import type { EmbeddedOutbox } from '../../saga/definition/outbox-form.ts';
import type { Process, ProcessFailure, RemainingStep } from './process.ts';

/** The contract of each step's service, by the name of the step. */
export type StepContracts = Readonly<Record<string, Contract>>;

/** The bodies of the replies by the names of the steps: those of steps that no reply has completed are missing. */
export type StepReplies = Readonly<Partial<Record<string, unknown>>>;

/** What the commands and the end of a process are made of. */
export interface ProcessFacts<Request = unknown, Replies = StepReplies> {
  /** The body of the message that started the process. */
  readonly request: Request;
  /** The bodies of the replies that completed steps, by the names of the steps. */
  readonly replies: Replies;
}

/** What the end of a process that was taken back is made of. */
export interface CompensatedFacts<Request = unknown, Replies = StepReplies, Name extends string = string>
  extends ProcessFacts<Request, Replies> {
  readonly failure: ProcessFailure<Name>;
  /** The steps that were not taken back, because they have no compensation, and are done or may be. */
  readonly remaining: readonly RemainingStep<Name>[];
}

/** The state of a process, as `sagabox show` prints it. It is deleted when the process ends. */
export interface CompensationState<Request = unknown, Replies = StepReplies, Name extends string = string>
  extends Process<Name>,
    ProcessFacts<Request, Replies> {}

type ReplyType<C extends Contract> = keyof C['replies'] & string;
type ReplyBody<C extends Contract, Type> = Type extends keyof C['replies']
  ? BodyOf<C['replies'][Type]>
  : never;

export type Intersected<Union> = (Union extends unknown ? (member: Union) => void : never) extends (
  all: infer All,
) => void
  ? All
  : never;

/** What a reply may have, whichever of a contract's it is: properties that not all of them have may be undefined. */
export type AnyReplyOf<C extends Contract> = Merged<BodyOf<C['replies'][ReplyType<C>]>>;
type Merged<Body> = [Body] extends [Intersected<Body>]
  ? Body
  : { readonly [Key in KeysOf<Body>]: PropertyOf<Body, Key> };
type KeysOf<Body> = Body extends unknown ? keyof Body : never;
type PropertyOf<Body, Key> = Body extends unknown ? (Key extends keyof Body ? Body[Key] : undefined) : never;

/** By the names of the steps: of each that a reply has completed. */
export type RepliesOf<Contracts extends StepContracts> = {
  readonly [Name in keyof Contracts]?: AnyReplyOf<Contracts[Name]>;
};

/** The same when all steps are completed. */
export type CompletedRepliesOf<Contracts extends StepContracts> = Required<RepliesOf<Contracts>>;

/** What takes a step back. */
export type Compensation<C extends Contract, Request, Replies, Reply> = {
  [Command in ContractType<C>]: {
    /** A message type of the step's contract. */
    readonly command: Command;
    /** `reply` is the one that completed the step; undefined if the step got none in time. */
    readonly body: (
      facts: ProcessFacts<Request, Replies> & { readonly reply: Reply | undefined },
    ) => ContractBody<C, Command>;
    /** The reply that says that it is done, or that there was nothing to take back. */
    readonly completedBy: ReplyType<C>;
    /**
     * The reply that says that it cannot be done.
     *
     * @default - none: the handler of a service that cannot do it fails, and the command waits in its error queue
     */
    readonly declinedBy?: ReplyType<C>;
    /** Without a reply for so long, the compensation has failed. */
    readonly timeout: Duration;
  };
}[ContractType<C>];

/** One step of a process: a command to a service, the replies that end it, and what takes it back. */
export type CompensationStep<C extends Contract, Request, Replies> = {
  [Command in ContractType<C>]: {
    [Completion in ReplyType<C>]: {
      /** The contract of the service. */
      readonly to: C;
      /** A message type of the contract. */
      readonly command: Command;
      readonly body: (facts: ProcessFacts<Request, Replies>) => ContractBody<C, Command>;
      /** The reply that says that it is done. */
      readonly completedBy: Completion;
      /**
       * The reply that says that it is not done, and will not be.
       *
       * @default - none
       */
      readonly declinedBy?: ReplyType<C>;
      /** Without a reply for so long, the step may have been done or not: it is taken back too. */
      readonly timeout: Duration;
      /**
       * What takes the step back.
       *
       * @default - none: there is nothing to take back
       */
      readonly compensation?: Compensation<C, Request, Replies, ReplyBody<C, Completion>>;
    };
  }[ReplyType<C>];
}[ContractType<C>];

type AnyReply<C> = C extends Contract ? BodyOf<C['replies'][ReplyType<C>]> : never;
export type RequestOf<Starts extends MessageSchemas> = BodyOf<Starts[keyof Starts & string]>;
export type StepName<Contracts> = keyof Contracts & string;

/**
 * It may send to the services of the steps too. The message at the end of a process is one of the process to itself,
 * so that there is nobody to reply to, and a timeout would come too late.
 */
export type ProcessEndContext<
  Contracts,
  Sends extends readonly Contract[],
  Publishes extends readonly Contract[],
> = Omit<
  HandlerContext<{
    sends: readonly (Extract<Contracts[keyof Contracts], Contract> | Sends[number])[];
    publishes: Publishes;
  }>,
  'reply' | 'requestTimeout' | 'cancelTimeout'
>;

/** What {@link compensate} takes. */
export interface CompensationDefinition<
  Starts extends MessageSchemas,
  Contracts extends StepContracts,
  Sends extends readonly Contract[],
  Publishes extends readonly Contract[],
> {
  /** Of the saga, and part of the key of each process: to rename it is to lose its instances. */
  readonly name: string;
  /** The message types that start a process, with a Standard Schema for each. */
  readonly startedBy: Starts;
  /**
   * The steps in their order, by name. A step begins when the one before it is completed. When one is declined or
   * gets no reply in time, the steps that may have been done are taken back, the last one first.
   */
  readonly steps: {
    readonly [Name in keyof Contracts]: CompensationStep<
      Contracts[Name],
      RequestOf<Starts>,
      RepliesOf<Contracts>
    >;
  };
  /** From any message of a process to its correlation value: all messages with one value meet one process. */
  readonly correlate: (body: RequestOf<Starts> | AnyReply<Contracts[keyof Contracts]>) => string | number;
  /**
   * Contracts of endpoints that `onCompleted` and `onCompensated` send to, such as that of who asked for the process,
   * beside those of the steps.
   *
   * @default - none
   */
  readonly sends?: Sends;
  /**
   * Of what `onCompleted` and `onCompensated` publish.
   *
   * @default - `publish` takes any type and body
   */
  readonly publishes?: Publishes;
  /**
   * Ends a process of which all steps are completed, in a message of its own, a second later. If it throws, that
   * message is delivered again, and then waits in the error queue: nothing is taken back.
   *
   * Each step has its reply, but for one that a deployment added when the process was past it: to read the reply of
   * that throws `Configuration`, and `Object.hasOwn(replies, 'step')` tells whether it is there.
   */
  readonly onCompleted?: (
    facts: ProcessFacts<RequestOf<Starts>, CompletedRepliesOf<Contracts>>,
    context: ProcessEndContext<Contracts, Sends, Publishes>,
  ) => void | Promise<void>;
  /** Ends a process that has taken back what it could, as `onCompleted` does. */
  readonly onCompensated?: (
    facts: CompensatedFacts<RequestOf<Starts>, RepliesOf<Contracts>, StepName<Contracts>>,
    context: ProcessEndContext<Contracts, Sends, Publishes>,
  ) => void | Promise<void>;
  /** As of `defineSaga`. @default - outbox records */
  readonly outbox?: EmbeddedOutbox | undefined;
  /** As of `defineSaga`. @default true */
  readonly coalesce?: boolean;
  /** As of `defineSaga`. @default - not compressed */
  readonly state?: SagaStateOptions;
}

/** A definition without its types, as the code reads it. */
export interface AnyDefinition {
  readonly name: string;
  readonly startedBy: MessageSchemas;
  readonly steps: Readonly<Record<string, AnyStep>>;
  readonly correlate: (body: unknown) => string | number;
  readonly sends?: readonly Contract[];
  readonly publishes?: readonly Contract[];
  readonly onCompleted?: (facts: ProcessFacts, context: HandlerContext) => void | Promise<void>;
  readonly onCompensated?: (facts: CompensatedFacts, context: HandlerContext) => void | Promise<void>;
  readonly outbox?: EmbeddedOutbox | undefined;
  readonly coalesce?: boolean;
  readonly state?: SagaStateOptions;
}

interface AnyCommand<Facts> {
  readonly command: string;
  readonly body: (facts: Facts) => unknown;
  readonly completedBy: string;
  readonly declinedBy?: string;
  readonly timeout: Duration;
}

export type AnyCompensation = AnyCommand<ProcessFacts & { readonly reply: unknown }>;

export interface AnyStep extends AnyCommand<ProcessFacts> {
  readonly to: Contract;
  readonly compensation?: AnyCompensation;
}
