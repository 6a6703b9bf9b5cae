import { defineHandlers, defineSaga } from 'sagabox';
import * as z from 'zod';

const survey = z.object({ surveyId: z.string(), people: z.number() });
const result = z.object({ surveyId: z.string(), yes: z.number() });

/** Asks everybody, and counts every answer itself. */
export const surveySaga = defineSaga({
  name: 'Survey',
  messages: { SurveyStarted: survey, Answered: z.object({ askedBy: z.string(), yes: z.boolean() }) },
  correlate: { SurveyStarted: (body) => body.surveyId, Answered: (body) => body.askedBy },
  startedBy: ['SurveyStarted'],
  initialState: () => ({ awaited: 0, yes: 0 }),
  handlers: {
    SurveyStarted({ body: { surveyId, people } }, { saga, send }) {
      saga.state.awaited = people;
      for (let person = 0; person < people; person += 1) send('people', 'Ask', { askedBy: surveyId, person });
    },
    Answered({ body }, { saga, send }) {
      saga.state.awaited -= 1;
      saga.state.yes += body.yes ? 1 : 0;
      if (saga.state.awaited > 0) return;
      send('results', 'SurveyEnded', { surveyId: saga.id, yes: saga.state.yes });
      saga.complete();
    },
  },
});

const chunkSize = 8;

/** Divides the people among chunks, and counts what each chunk says. */
export const chunkedSurveySaga = defineSaga({
  name: 'ChunkedSurvey',
  messages: { SurveyStarted: survey, ChunkAnswered: result },
  correlate: { SurveyStarted: (body) => body.surveyId, ChunkAnswered: (body) => body.surveyId },
  startedBy: ['SurveyStarted'],
  initialState: () => ({ awaited: 0, yes: 0 }),
  handlers: {
    SurveyStarted({ body: { surveyId, people } }, { saga, send }) {
      for (let first = 0; first < people; first += chunkSize) {
        const size = Math.min(chunkSize, people - first);
        send('surveys', 'ChunkStarted', { chunkId: `${surveyId}/${first}`, surveyId, first, size });
        saga.state.awaited += 1;
      }
    },
    ChunkAnswered({ body }, { saga, send }) {
      saga.state.awaited -= 1;
      saga.state.yes += body.yes;
      if (saga.state.awaited > 0) return;
      send('results', 'SurveyEnded', { surveyId: saga.id, yes: saga.state.yes });
      saga.complete();
    },
  },
});

/** The sub-saga: asks the people of one chunk, and reports once. */
export const surveyChunkSaga = defineSaga({
  name: 'SurveyChunk',
  messages: {
    ChunkStarted: z.object({
      chunkId: z.string(),
      surveyId: z.string(),
      first: z.number(),
      size: z.number(),
    }),
    Answered: z.object({ askedBy: z.string(), yes: z.boolean() }),
  },
  correlate: { ChunkStarted: (body) => body.chunkId, Answered: (body) => body.askedBy },
  startedBy: ['ChunkStarted'],
  initialState: () => ({ surveyId: '', awaited: 0, yes: 0 }),
  handlers: {
    ChunkStarted({ body: { chunkId, surveyId, first, size } }, { saga, send }) {
      saga.state.surveyId = surveyId;
      saga.state.awaited = size;
      for (let person = first; person < first + size; person += 1)
        send('people', 'Ask', { askedBy: chunkId, person });
    },
    Answered({ body }, { saga, send }) {
      saga.state.awaited -= 1;
      saga.state.yes += body.yes ? 1 : 0;
      if (saga.state.awaited > 0) return;
      send('surveys', 'ChunkAnswered', { surveyId: saga.state.surveyId, yes: saga.state.yes });
      saga.complete();
    },
  },
});

export const people = defineHandlers({
  messages: { Ask: z.object({ askedBy: z.string(), person: z.number() }) },
  handlers: {
    Ask({ body: { askedBy, person } }, { reply }) {
      reply('Answered', { askedBy, yes: person % 2 === 0 });
    },
  },
});
