import { defineContract, defineHandlers, scatterGather } from 'sagabox';
import * as z from 'zod';

const people = defineContract(
  'people',
  { Ask: z.object({ requestId: z.string(), person: z.number() }) },
  { replies: { Answered: z.object({ requestId: z.string(), yes: z.boolean() }) } },
);

/**
 * Asks many people, and counts who says yes.
 *
 * @param width how many answers one saga gathers: with more people, it divides them among sub-sagas
 */
export const surveyOf = (width: number) =>
  scatterGather({
    name: 'Survey',
    endpoint: 'surveys',
    asks: people,
    request: 'Ask',
    reply: 'Answered',
    timeout: { minutes: 10 },
    width,
    gather: {
      initial: () => ({ yes: 0 }),
      add: (sum, { yes }) => ({ yes: sum.yes + (yes ? 1 : 0) }),
      merge: (one, other) => ({ yes: one.yes + other.yes }),
    },
    resultTo: 'results',
  });

export const peopleHandlers = defineHandlers({
  messages: people.messages,
  replies: [people],
  handlers: {
    Ask({ body: { requestId, person } }, { reply }) {
      reply('Answered', { requestId, yes: person % 2 === 0 });
    },
  },
});
