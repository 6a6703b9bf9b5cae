import { createHandler, defineHandlers } from 'sagabox';
import { object, string } from 'valibot';

const billing = defineHandlers({
  messages: { ChargeCard: object({ orderId: string() }) },
  handlers: {
    ChargeCard({ body: { orderId } }, { transaction, reply }) {
      transaction.add({
        Update: {
          TableName: process.env.CHARGES_TABLE ?? '',
          Key: { orderId: { S: orderId } },
          UpdateExpression: 'ADD charges :one',
          ExpressionAttributeValues: { ':one': { N: '1' } },
        },
      });
      reply('CardCharged', { orderId });
    },
  },
});

export const handler = createHandler(billing);
