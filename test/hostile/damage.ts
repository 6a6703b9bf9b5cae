import fc from 'fast-check';
import { deepStrings, hostileJson, hostileString, inheritedName, ownProperties } from './hostile-values.ts';

type Path = readonly (string | number)[];
type Damage = (value: unknown) => unknown;

/** A value with some of its parts, at any depth, taken out, replaced, renamed or doubled. */
export function damaged(value: unknown): fc.Arbitrary<unknown> {
  return fc
    .array(damageTo(value), { minLength: 1, maxLength: 4 })
    .map((damages) => damages.reduce((whole, damage) => damage(whole), value));
}

/** The same as a string that is JSON, or nearly. */
export function damagedString(value: unknown): fc.Arbitrary<string> {
  const json = damaged(value).map((whole) => JSON.stringify(whole) ?? '');
  return fc.oneof(
    { weight: 6, arbitrary: json },
    { weight: 1, arbitrary: fc.tuple(json, fc.nat(200)).map(([whole, length]) => whole.slice(0, length)) },
    {
      weight: 1,
      arbitrary: fc
        .tuple(json, fc.nat(200), hostileString)
        .map(([whole, at, inserted]) => `${whole.slice(0, at)}${inserted}${whole.slice(at)}`),
    },
    // A name given twice: the last one counts.
    {
      weight: 1,
      arbitrary: fc
        .tuple(json, inheritedName, hostileJson)
        .map(([whole, name, other]) => doubled(whole, name, JSON.stringify(other))),
    },
    { weight: 1, arbitrary: fc.constantFrom(...deepStrings) },
  );
}

function doubled(object: string, name: string, value: string): string {
  if (!object.startsWith('{')) return object;
  return `{"${name}":${value},"${name}":${value}${object === '{}' ? '' : ','}${object.slice(1)}`;
}

function damageTo(value: unknown): fc.Arbitrary<Damage> {
  return fc.constantFrom(...pathsOf(value)).chain((path) => {
    const to = (change: (part: unknown) => unknown): Damage => {
      return (whole) => changed(whole, path, change);
    };
    return fc.oneof(
      hostileJson.map((other) => to(() => other)),
      fc.constant(to(() => undefined)),
      fc.constant(to((part) => [part])),
      fc.constant(to((part) => JSON.stringify(part))),
      inheritedName.map((name) => to((part) => ownProperties([[name, part]]))),
      fc
        .tuple(inheritedName, hostileJson)
        .map(([name, other]) => to((part) => ownProperties([...Object.entries(part ?? {}), [name, other]]))),
    );
  });
}

function pathsOf(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [path];
  return [path, ...Object.entries(value).flatMap(([name, part]) => pathsOf(part, [...path, name]))];
}

/** The same value where an earlier damage took the place away. */
function changed(whole: unknown, [first, ...rest]: Path, change: (part: unknown) => unknown): unknown {
  if (first === undefined) return change(whole);
  if (typeof whole !== 'object' || whole === null || !Object.hasOwn(whole, first)) return whole;
  const parts = Object.entries(whole).flatMap(([name, part]) => {
    const next = name === first ? changed(part, rest, change) : part;
    return next === undefined ? [] : [[name, next] as const];
  });
  return Array.isArray(whole) ? parts.map(([, part]) => part) : Object.fromEntries(parts);
}
