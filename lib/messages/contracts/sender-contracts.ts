import type { StandardSchemaV1 } from '@standard-schema/spec';
import type { MessageSchemas } from '../schema.ts';
import type { Contract } from './contract.ts';

/** What a sender that lists no contract may send: anything. */
// biome-ignore lint/complexity/noBannedTypes: no property is what it says
export type NoContracts = {};

type Sent<Listed> = Listed extends { readonly sends: readonly (infer C extends Contract)[] } ? C : Contract;
type Published<Listed> = Listed extends { readonly publishes: readonly (infer C extends Contract)[] }
  ? C
  : Contract;
type Replied<Listed> = Listed extends { readonly replies: readonly (infer C extends Contract)[] }
  ? C
  : Contract;
type Timed<Listed> = Listed extends { readonly timeouts: infer S extends MessageSchemas }
  ? S
  : MessageSchemas;

/** Of each contract by itself: one name may stand for several. */
type Named<C, Name> = C extends Contract ? (Name extends C['name'] ? C : never) : never;
type MessagesOf<C> = C extends Contract ? C['messages'] : never;
type RepliesOf<C> = C extends Contract ? C['replies'] : never;
type TypesOf<Schemas> = Schemas extends MessageSchemas ? keyof Schemas & string : never;
type BodyIn<Schemas, Type> = Schemas extends MessageSchemas
  ? Type extends keyof Schemas
    ? StandardSchemaV1.InferInput<Schemas[Type]>
    : never
  : never;

/** The names of the destinations that `send` takes. */
export type SendDestination<Listed> = Sent<Listed>['name'];
/** The message types that `send` takes for a destination. */
export type SendType<Listed, Destination> = TypesOf<MessagesOf<Named<Sent<Listed>, Destination>>>;
export type SendBody<Listed, Destination, Type> = BodyIn<MessagesOf<Named<Sent<Listed>, Destination>>, Type>;

export type PublishType<Listed> = TypesOf<MessagesOf<Published<Listed>>>;
export type PublishBody<Listed, Type> = BodyIn<MessagesOf<Published<Listed>>, Type>;

export type ReplyType<Listed> = TypesOf<RepliesOf<Replied<Listed>>>;
export type ReplyBody<Listed, Type> = BodyIn<RepliesOf<Replied<Listed>>, Type>;

export type TimeoutType<Listed> = TypesOf<Timed<Listed>>;
export type TimeoutBody<Listed, Type> = BodyIn<Timed<Listed>, Type>;

/** The message types of a contract. */
export type ContractType<C> = TypesOf<MessagesOf<C>>;
export type ContractBody<C, Type> = BodyIn<MessagesOf<C>, Type>;
