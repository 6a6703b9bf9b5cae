/** What comes from outside as JSON; `undefined` if it is none. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // It throws for nothing but a text that is no JSON.
    return undefined;
  }
}
