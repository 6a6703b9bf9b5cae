/**
 * Where the section with this heading is. Without a page of the user's it is told in words: the package does not
 * have the docs, nor an address that a pager could open.
 */
export function runbookOf(heading: string, runbookUrl: string | undefined): string {
  return runbookUrl === undefined
    ? `sagabox docs/guide/operations.md, section '${heading}'`
    : `${runbookUrl}#${anchorOf(heading)}`;
}

/** As GitHub makes anchors of headings. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\w\s-]/g, '')
    .replaceAll(' ', '-');
}
