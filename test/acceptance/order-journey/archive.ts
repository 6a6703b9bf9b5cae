import { createHandler, defineHandlers } from 'sagabox';
import { literal, number, object, pipe, string, transform } from 'valibot';
import { countStep } from './ledger.ts';

const archive = defineHandlers({
  messages: {
    ArchiveOrder: object({
      orderId: string(),
      charged: pipe(number(), literal(1)),
      document: pipe(
        string(),
        transform((text) => text.length),
      ),
    }),
  },
  handlers: {
    ArchiveOrder({ body }, { transaction }) {
      transaction.add(countStep(body.orderId, `archived ${body.document}`));
    },
  },
});

export const handler = createHandler(archive);
