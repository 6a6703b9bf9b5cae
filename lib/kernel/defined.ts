type Defined<T> = { [Name in keyof T]?: Exclude<T[Name], undefined> };

/** Leaves out properties that are undefined: those of other packages may be absent, but not undefined. */
export function defined<T extends object>(properties: T): Defined<T> {
  const given = Object.entries(properties).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given) as Defined<T>;
}
