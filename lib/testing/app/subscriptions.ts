import type { AppEndpoint } from './app-options.ts';

/** The message types by topic or event bus. */
export function subscriptions({
  subscribesTo = [],
}: AppEndpoint): Readonly<Record<string, readonly string[] | 'all'>> {
  if (!Array.isArray(subscribesTo)) return subscribesTo as Readonly<Record<string, readonly string[]>>;
  return Object.fromEntries(subscribesTo.map((name: string) => [name, 'all']));
}
