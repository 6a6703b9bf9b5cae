import fc from 'fast-check';
import { UnrecoverableError } from 'sagabox';
import { hostileJson, hostileString } from './hostile-values.ts';

function nested(depth: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < depth; level += 1) value = level % 2 === 0 ? [value] : { a: value };
  return value;
}

export const nestedMaker =
  (depth: number): Maker =>
  () =>
    nested(depth);

function cyclic(): unknown {
  const cycle: Record<string, unknown> = {};
  cycle.self = [cycle];
  return cycle;
}

function revoked(): unknown {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

const throwing = (thrown: unknown) => () => {
  throw thrown;
};

class Instance {
  field = 1;
}

/** Made anew each time: a run must not see what another one did to it. */
export const oddValues: readonly Maker[] = [
  () => undefined,
  () => null,
  () => Number.NaN,
  () => -0,
  () => Number.POSITIVE_INFINITY,
  () => 10n ** 40n,
  () => 7n,
  () => Symbol('s'),
  () => () => {},
  () => new Date('2026-01-01'),
  () => new Date(Number.NaN),
  () => new Map([['a', 1]]),
  () => new Set(),
  () => new Set(['a', 1]),
  () => new Uint8Array(3),
  () => new Float64Array(2),
  () => new Instance(),
  () => new String('boxed'),
  () => Object.create(null),
  () => Object.freeze({ a: Object.freeze([1]) }),
  () => [undefined, 1],
  () => new Array(3),
  () => 'x'.repeat(420_000),
  () => 'é'.repeat(150_000),
  () => cyclic(),
  () => revoked(),
  () => new Proxy({}, { ownKeys: throwing(undefined), get: throwing(new Error('trap')) }),
  () => ({ toJSON: throwing(new TypeError('no JSON')) }),
  () => ({ toJSON: throwing(undefined) }),
  () => ({ toString: throwing(null), valueOf: throwing(null) }),
  () => Object.defineProperty({}, 'a', { enumerable: true, get: throwing(undefined) }),
  () => Promise.resolve(1),
  () => JSON.parse('{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}'),
];

/** Makes a value: some, like a proxy that was revoked, cannot even be kept in a list of cases. */
export type Maker = () => unknown;

export const oddString: fc.Arbitrary<Maker> = hostileString.map((value) => () => value);

/** A value that code can have and a message cannot, or just a strange one. */
export const oddValue: fc.Arbitrary<Maker> = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...oddValues) },
  { weight: 2, arbitrary: fc.constantFrom(...oddValues).map((make) => () => ({ inner: [make()] })) },
  // Around the depth that DynamoDB takes, and around those where recursions of different kinds end.
  { weight: 1, arbitrary: fc.integer({ min: 25, max: 40 }).map(nestedMaker) },
  { weight: 2, arbitrary: fc.integer({ min: 500, max: 12_000 }).map(nestedMaker) },
  { weight: 1, arbitrary: fc.constant(100_000).map(nestedMaker) },
  { weight: 2, arbitrary: hostileJson.map((value) => () => structuredClone(value)) },
  { weight: 1, arbitrary: oddString },
);

/** Thrown values whose parts throw, or are not what they seem. */
export const oddThrown: readonly Maker[] = [
  () => revoked(),
  () => ({ toString: throwing(null), valueOf: throwing(null) }),
  () => Object.freeze(new Error('frozen')),
  () => Object.defineProperty(new Error('m'), 'message', { get: throwing(undefined) }),
  () => Object.defineProperty(new Error('m'), 'name', { get: throwing(1) }),
  () => Object.defineProperty(new Error('m'), 'stack', { get: throwing(new Error('inner')) }),
  () => Object.assign(new Error('m'), { name: Symbol('s'), message: 10n, stack: {} }),
  () => Object.assign(new Error('m'), { message: Object.create(null) }),
  () => new Proxy(new Error('m'), { getPrototypeOf: throwing(undefined) }),
  () => new Proxy(new UnrecoverableError('m'), { get: throwing(undefined) }),
  () => Object.assign(new Error('x'.repeat(2_000_000)), { cause: cyclic() }),
  () => new AggregateError([new Error('\uD800\uFFFE')], '\u0000\uFFFF'),
  () => new UnrecoverableError('\uD800\uFFFE'),
  () => Object.assign(new UnrecoverableError('m'), { code: '__proto__', retryable: 'yes', facts: null }),
];

/** What a handler may throw. */
export const hostileThrown: fc.Arbitrary<Maker> = fc.oneof(
  fc.constantFrom<Maker[]>(...oddValues, ...oddThrown),
  oddString,
);
