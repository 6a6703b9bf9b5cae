import { type CustomSagaChange, type CustomSagaStore, createHandler, defineSaga } from 'sagabox';
import * as v from 'valibot';

interface State {
  total: number;
}

const store: CustomSagaStore<State> = {
  keepsDetails: false,
  load: async ({ name, id }) => ({ state: { total: name.length + id.length } }),
  writesOf(change) {
    // @ts-expect-error a discard has no state
    void change.state;
    if (change.kind === 'create') {
      const total: number = change.state.total;
      const none: undefined = change.read;
      void [total, none];
    }
    if (change.kind === 'update') void (change.read.state.total + change.details.version);
    if (change.kind === 'complete') {
      void change.read.state;
      // @ts-expect-error of a saga that has ended there is no state to write
      void change.state;
    }
    return [];
  },
};

const saga = defineSaga({
  name: 'Total',
  messages: { Added: v.object({ id: v.string() }) },
  correlate: { Added: (body) => body.id },
  startedBy: ['Added'],
  initialState: (): State => ({ total: 0 }),
  handlers: { Added() {} },
});

createHandler(saga, { sagaStore: store });

// @ts-expect-error it does not say whether it keeps the details
createHandler(saga, { sagaStore: { load: store.load, writesOf: store.writesOf } });

export const stateless: CustomSagaStore<State> = {
  ...store,
  // @ts-expect-error a saga without its state
  load: async () => ({ details: { version: 1, commitId: 'c' } }),
};

export const kindOf = (change: CustomSagaChange): 'create' | 'update' | 'complete' | 'check' => change.kind;
