import type { Change } from './mutation.ts';

export interface PatternMutation extends Change {
  readonly name: string;
  /** Whose histories show it. */
  readonly of: 'bookings' | 'gatherings';
}

const booking = (name: string, file: string, piece: string, becomes: string): PatternMutation => ({
  name,
  of: 'bookings',
  file: `lib/patterns/compensation/${file}`,
  piece,
  becomes,
});
const gathering = (name: string, file: string, piece: string, becomes: string): PatternMutation => ({
  name,
  of: 'gatherings',
  file: `lib/patterns/scatter-gather/${file}`,
  piece,
  becomes,
});

export const patternMutations: readonly PatternMutation[] = [
  booking('the first step is taken back first', 'process.ts', 'plan.findLast(', 'plan.find('),
  booking(
    'a step without a reply is not taken back',
    'process.ts',
    "state.status === 'completed' || state.status === 'timedOut';",
    "state.status === 'completed';",
  ),
  booking(
    'a failed compensation cannot be resumed',
    'process.ts',
    "? { status: 'compensating', attempt: state.attempt + 1 }",
    '? undefined',
  ),
  booking(
    'a notice resumes that nobody moved back',
    'compensate.ts',
    'const isRedriven = headers[headerNames.redriven] !== undefined;',
    'const isRedriven = true;',
  ),
  booking(
    'a command waits without a timeout',
    'process-run.ts',
    'requestTimeout(own.timedOut, ownBody, { after: first.timeout });',
    '',
  ),
  gathering(
    'a second reply to a request counts',
    'node.ts',
    'if (hasArrived(state.arrivals, at)) {',
    'if (false) {',
  ),
  gathering(
    'what a part misses is lost',
    'node.ts',
    'state.missing = [...state.missing, ...report.missing];',
    '',
  ),
  gathering(
    'parts share a request',
    'tree.ts',
    'count: startOf(part + 1) - startOf(part),',
    'count: startOf(part + 1) - startOf(part) + 1,',
  ),
  gathering(
    'a node ends when all but one have reported',
    'node.ts',
    'if (awaited(state.arrivals, parts).length === 0) endNode(rules, context);',
    'if (awaited(state.arrivals, parts).length <= 1) endNode(rules, context);',
  ),
  gathering(
    'a node waits for ever',
    'node.ts',
    'requestTimeout(types.timedOut, address, { after: { milliseconds: waitsMs } });',
    '',
  ),
];
