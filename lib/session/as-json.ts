/**
 * A response as its caller gets it, the first time and each time that the request comes again: as JSON has it. A
 * `Date` is a string, and so is what another `toJSON` makes one. `never` is what a session refuses, as JSON would
 * change it or leave it out: a `Map`, a `Set`, an `Error`, a `bigint`, a function, bytes.
 */
export type AsJson<Value> = Value extends string | number | boolean | null | undefined
  ? Value
  : Value extends Refused
    ? never
    : Value extends { toJSON(...parameters: never): infer Json }
      ? AsJson<Json>
      : Value extends object
        ? { [Name in keyof Value]: AsJson<Value[Name]> }
        : // `void` and `unknown` say too little.
          Value;

type Refused =
  | bigint
  | symbol
  | ((...parameters: never) => unknown)
  | ReadonlyMap<unknown, unknown>
  | ReadonlySet<unknown>
  | Error
  | ArrayBufferView
  | ArrayBufferLike
  | PromiseLike<unknown>;
