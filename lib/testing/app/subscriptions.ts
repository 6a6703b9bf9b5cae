/** Topics and event buses: all of their messages, or some types of each. */
interface Subscriber {
  readonly subscribesTo?: readonly string[] | Readonly<Record<string, readonly string[]>>;
}

/** The message types by topic or event bus. */
export function subscriptions({
  subscribesTo = [],
}: Subscriber): Readonly<Record<string, readonly string[] | 'all'>> {
  if (!Array.isArray(subscribesTo)) return subscribesTo as Readonly<Record<string, readonly string[]>>;
  return Object.fromEntries(subscribesTo.map((name: string) => [name, 'all']));
}
