/** Up to so many characters are wrong, missing or too many in a name that was misspelled, and one in four of a long one. */
const MAX_EDITS = 2;

/** So many names may have been meant by one, and no more are told. */
const MAX_NAMES = 3;

/** The length of a name from which another one that has it as a part is close to it. */
const MIN_PART = 4;

/** The known names that a misspelled one may have been meant to be, the closest first. */
export function similarNames(name: string, known: readonly string[]): string[] {
  const given = name.toLowerCase();
  return known
    .map((each) => ({ each, edits: editsBetween(given, each.toLowerCase()) }))
    .filter(({ each, edits }) => isClose(each, edits) || hasPart(given, each.toLowerCase()))
    .sort((one, other) => one.edits - other.edits)
    .slice(0, MAX_NAMES)
    .map(({ each }) => each);
}

/** For an error that refuses the name. @returns a question; undefined if no known name is close to it */
export function nameQuestion(name: string, known: readonly string[]): string | undefined {
  const similar = similarNames(name, known);
  const meant = similar.length > 0 || known.length > MAX_NAMES ? similar : known;
  return meant.length === 0 ? undefined : `did you mean ${meant.map((each) => `'${each}'`).join(' or ')}?`;
}

function isClose({ length }: string, edits: number): boolean {
  return edits <= Math.max(MAX_EDITS, length / 4) && edits <= length / 2;
}

/** Whether one name is a part of the other, as in 'timeout' and 'functionTimeout'. */
function hasPart(one: string, other: string): boolean {
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  return short.length >= MIN_PART && long.includes(short);
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
