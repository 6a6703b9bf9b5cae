import { element, lines, type Markup } from './markup.ts';

export interface DataTable {
  readonly caption: string;
  readonly head: readonly string[];
  /** The first cell of each row is its header. */
  readonly rows: readonly (readonly string[])[];
}

/** The figures of a chart, or what no chart shows. It can be scrolled by keys when it is long. */
export function dataTable({ caption, head, rows }: DataTable): Markup {
  return element(
    'div',
    { class: 'table', role: 'region', 'aria-label': caption, tabindex: 0 },
    element(
      'table',
      {},
      lines(
        element('caption', {}, caption),
        element('thead', {}, element('tr', {}, ...head.map((cell) => element('th', { scope: 'col' }, cell)))),
        element('tbody', {}, lines(...rows.map(tableRow))),
      ),
    ),
  );
}

function tableRow([first = '', ...others]: readonly string[]): Markup {
  return element(
    'tr',
    {},
    element('th', { scope: 'row' }, first),
    ...others.map((cell) => element('td', {}, cell)),
  );
}
