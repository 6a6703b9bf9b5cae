const shared = { Object, Array, Function, String, Number, Error, Promise, Map } as const;

/** What all objects of a kind share: a message must never reach it. */
const before = snapshot();

export function assertIntrinsicsUntouched(): void {
  const now = snapshot();
  if (now === before) return;
  throw new Error(`What all objects share was changed: ${before} became ${now}`);
}

function snapshot(): string {
  const names = Object.entries(shared).map(([name, { prototype }]) => [
    name,
    Reflect.ownKeys(prototype).map(String).toSorted(),
  ]);
  return JSON.stringify([names, Object.getPrototypeOf(Object.prototype)]);
}
