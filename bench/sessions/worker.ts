/**
 * A process of its own, in which nothing else shapes how the code is compiled. It writes one line of JSON.
 */
import { readFile } from 'node:fs/promises';
import { deserialize } from 'node:v8';
import { lambdaContext } from '../../lib/testing/lambda-context.ts';
import { mapNames, mapNamesInSequence } from '../benchmark/in-turns.ts';
import type { Item } from '../cost/contenders.ts';
import { type InvocationRounds, invokeSideBySide } from '../overhead/rounds.ts';
import { type SessionContender, sessionContenderNames, sessionContenders } from './contenders.ts';
import { sameRequest } from './requests.ts';
import { requestKinds } from './stored-response.ts';
import { sessionStubs } from './stub-clients.ts';

const depths: Readonly<Record<string, InvocationRounds>> = {
  short: { rounds: 6, invocations: 1000, warmUpInvocations: 5_000 },
  full: { rounds: 24, invocations: 5000, warmUpInvocations: 25_000 },
};

const [, , depth = 'full', file = ''] = process.argv;
const rounds = depths[depth];
if (rounds === undefined) throw new Error(`There is no depth '${depth}'`);
const items = deserialize(await readFile(file)) as Record<SessionContender, Item>;
const context = lambdaContext();
const times = await mapNamesInSequence(requestKinds, (kind) => {
  const handlers = mapNames(sessionContenderNames, (name) => {
    const clients = sessionStubs(kind === 'repeated' ? items[name] : undefined);
    const handle = sessionContenders[name](clients, 'sessions');
    return async (event: ReturnType<ReturnType<typeof sameRequest>>) => await handle(event, context);
  });
  return invokeSideBySide(handlers, sameRequest(), rounds);
});
console.log(JSON.stringify(times));
