import { defineSaga } from 'sagabox';
import * as z from 'zod';

const received = z.object({ applicationId: z.string(), document: z.string() });
const checked = z.object({ applicationId: z.string(), check: z.string() });
const checks = 9;

/** Keeps the document in its state: every check reads and writes it. */
export const wholeApplicationSaga = defineSaga({
  name: 'WholeApplication',
  messages: { ApplicationReceived: received, Checked: checked },
  correlate: { ApplicationReceived: (body) => body.applicationId, Checked: (body) => body.applicationId },
  startedBy: ['ApplicationReceived'],
  initialState: () => ({ document: '', checks: 0 }),
  handlers: {
    ApplicationReceived({ body }, { saga }) {
      saga.state.document = body.document;
    },
    Checked({ body }, { saga, send }) {
      saga.state.checks += 1;
      if (saga.state.checks < checks) return;
      send('archive', 'Archive', { applicationId: body.applicationId, bytes: saga.state.document.length });
      saga.complete();
    },
  },
});

/** Keeps a claim for the document: the key of an item that is written in the transaction of the message. */
export const applicationSaga = (documentsTable: string) =>
  defineSaga({
    name: 'Application',
    messages: { ApplicationReceived: received, Checked: checked },
    correlate: { ApplicationReceived: (body) => body.applicationId, Checked: (body) => body.applicationId },
    startedBy: ['ApplicationReceived'],
    initialState: () => ({ documentKey: '', bytes: 0, checks: 0 }),
    handlers: {
      ApplicationReceived({ id, body }, { saga, transaction }) {
        // The message's id: an application that starts anew gets an item of its own.
        saga.state.documentKey = `${body.applicationId}/${id}`;
        saga.state.bytes = body.document.length;
        const document = { ...keyOf(saga.state.documentKey), document: { S: body.document } };
        transaction.add({ Put: { TableName: documentsTable, Item: document } });
      },
      Checked({ body }, { saga, send, transaction }) {
        const { state } = saga;
        state.checks += 1;
        if (state.checks < checks) return;
        send('archive', 'Archive', { applicationId: body.applicationId, bytes: state.bytes });
        transaction.add({ Delete: { TableName: documentsTable, Key: keyOf(state.documentKey) } });
        saga.complete();
      },
    },
  });

/** The key in the user's table, for whoever loads the document. */
const keyOf = (documentKey: string) => ({ PK: { S: documentKey }, SK: { S: 'document' } });
