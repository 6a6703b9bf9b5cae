import { createHash } from 'node:crypto';
import { defineHandlers, defineSaga } from 'sagabox';
import * as z from 'zod';

const voteCast = z.object({ pollId: z.string() });

/** Every vote reads and writes the state of its poll. */
export const pollSaga = defineSaga({
  name: 'Poll',
  messages: { VoteCast: voteCast },
  correlate: { VoteCast: (body) => body.pollId },
  startedBy: ['VoteCast'],
  initialState: () => ({ votes: 0 }),
  handlers: {
    VoteCast(_message, { saga }) {
      saga.state.votes += 1;
    },
  },
});

const shards = 16;

/** The state is counters of the user's: a vote reads nothing, and its outbox record commits with it. */
export const pollHandlers = (pollsTable: string) =>
  defineHandlers({
    messages: { VoteCast: voteCast },
    handlers: {
      VoteCast({ id, body }, { transaction }) {
        // Two transactions that meet one item conflict on DynamoDB, also without a condition.
        const shard = createHash('sha256').update(id).digest().readUInt32BE() % shards;
        transaction.add({
          Update: {
            TableName: pollsTable,
            Key: { PK: { S: `POLL#${body.pollId}` }, SK: { S: `SHARD#${shard}` } },
            UpdateExpression: 'ADD votes :one',
            ExpressionAttributeValues: { ':one': { N: '1' } },
          },
        });
      },
    },
  });
