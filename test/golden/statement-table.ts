import { statementsOf, type Template } from '../deployment/statements/statement.ts';

/** What each role and queue policy of the proof app allows: the number of its statements, and their actions. */
export function statementTable(templates: Readonly<Record<string, string>>): string {
  const statements = Object.entries(templates)
    .filter(([stack]) => stack.startsWith('Proof'))
    .flatMap(([stack, template]) => statementsOf(stack, JSON.parse(template) as Template));
  const byOwner = Map.groupBy(statements, ({ name }) => name.slice(0, name.indexOf('#')));
  const lines = [...byOwner].map(([owner, own]) => {
    const actions = new Set(own.flatMap((statement) => statement.actions));
    return `${owner}: ${own.length} statements, ${[...actions].toSorted().join(' ')}\n`;
  });
  return lines.toSorted().join('');
}
