/** Up to so many characters are wrong, missing or too many in a name that was misspelled, and one in four of a long one. */
const MAX_EDITS = 2;

/** The known name that a misspelled one was most likely meant to be; undefined if none is close to it. */
export function similarName(name: string, known: readonly string[]): string | undefined {
  const [closest] = known
    .map((each) => ({ each, edits: editsBetween(name.toLowerCase(), each.toLowerCase()) }))
    .filter(({ each, edits }) => edits <= Math.max(MAX_EDITS, each.length / 4) && edits < each.length / 2)
    .sort((one, other) => one.edits - other.edits);
  return closest?.each;
}

/** For an error that refuses the name. @returns a question; undefined if no known name is close to it */
export function nameQuestion(name: string, known: readonly string[]): string | undefined {
  const similar = similarName(name, known);
  return similar === undefined ? undefined : `did you mean '${similar}'?`;
}

/** How many characters have to be put in, taken out or replaced (the Levenshtein distance). */
function editsBetween(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (const [index, character] of [...from].entries()) {
    const next = [index + 1];
    for (let column = 1; column <= to.length; column += 1) {
      const replaced = (row[column - 1] ?? 0) + (character === to[column - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[to.length] ?? 0;
}
