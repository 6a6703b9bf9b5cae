import { symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { build, stop } from 'esbuild';
import { parse } from 'yaml';
import { runCommandLine } from '../../support/command-io.ts';
import { repository } from '../../support/source-files.ts';
import { inModules, lambdas, oddContracts, reusingContracts, sample } from './contract-modules.ts';

describe('sagabox contracts', () => {
  it('lists the contracts of modules, and who takes and sends their messages', async () => {
    const { exitCode, out, err } = await runCommandLine('contracts', ...sample);
    expect({ exitCode, err }).toEqual({ exitCode: 0, err: '' });
    expect(out.join('\n').replaceAll(`${lambdas}/`, '')).toBe(
      [
        'billing',
        '  messages: ChargeCard',
        '  replies: CardCharged',
        '  taken by: billing.ts: billing',
        '  sent by: orders.ts: orderSaga',
        'order-events',
        '  messages: OrderFulfilled, PaymentReminder',
        '  taken by: none of the modules',
        '  published by: orders.ts: orderSaga',
        'orders',
        '  messages: OrderPlaced',
        '  taken by: orders.ts: orderSaga',
        '  sent by: none of the modules',
        'shipping',
        '  messages: ShipOrder',
        '  replies: OrderShipped',
        '  taken by: shipping.ts: shipping',
        '  sent by: orders.ts: orderSaga',
      ].join('\n'),
    );
  });

  it('writes their JSON Schemas with --json', async () => {
    const { out } = await runCommandLine('contracts', ...sample, '--json');
    const { contracts } = JSON.parse(out[0] ?? '');
    const orderId = { orderId: { type: 'string' } };
    expect(contracts[0]).toMatchObject({
      name: 'billing',
      messages: {
        ChargeCard: {
          type: 'object',
          properties: { ...orderId, total: { type: 'number' } },
          required: ['orderId', 'total'],
        },
      },
      replies: { CardCharged: { type: 'object', properties: orderId, required: ['orderId'] } },
    });
  });

  it('writes an AsyncAPI document with --asyncapi', async () => {
    const { exitCode, out, err } = await runCommandLine(
      ...['contracts', ...sample, '--asyncapi', '--title', 'Shop', '--api-version', '2.1.0'],
    );
    expect({ exitCode, err }).toEqual({ exitCode: 0, err: '' });
    const document = parse(out.join('\n'));
    expect(document).toMatchObject({ asyncapi: '3.0.0', info: { title: 'Shop', version: '2.1.0' } });
    expect(Object.keys(document.channels)).toEqual([
      ...['billing', 'billing.replies', 'order-events', 'orders', 'shipping', 'shipping.replies'],
    ]);
    expect(Object.keys(document.operations)).toEqual([
      ...['billing.receive', 'billing.send', 'order-events.send', 'orders.receive'],
      ...['shipping.receive', 'shipping.send'],
    ]);
    expect(document.channels.billing.messages.ChargeCard.payload.required).toEqual(['orderId', 'total']);
    const { out: json } = await runCommandLine('contracts', ...sample, '--asyncapi', '--json');
    expect(JSON.parse(json[0] ?? '').channels).toEqual(document.channels);
  });

  it('moves what schemas refer to where a document has it', async () => {
    await inModules({ contracts: reusingContracts }, async ({ contracts }) => {
      const { exitCode, out, err } = await runCommandLine(
        'contracts',
        `${contracts}`,
        '--asyncapi',
        '--json',
      );
      expect({ exitCode, err }).toEqual({ exitCode: 0, err: '' });
      const document = JSON.parse(out[0] ?? '');
      const { schemas } = document.components;
      expect(Object.keys(schemas).toSorted()).toEqual([
        ...['SagaboxHeaders', 'parts.Named.Part_a', 'parts.Named.Part_a_2', 'parts.Nested.Line'],
        ...['parts.Nested.__schema0', 'parts.Tree', 'parts.ValibotTree.0'],
      ]);
      const { messages } = document.channels.parts;
      expect(messages.Tree.payload).toEqual({ $ref: '#/components/schemas/parts.Tree' });
    });
  });

  it('takes contracts alone, names of any characters, and schemas that have no JSON Schema', async () => {
    await inModules({ contracts: oddContracts }, async (paths) => {
      const { exitCode, out, err } = await runCommandLine('contracts', `${paths.contracts}`, '--asyncapi');
      expect(exitCode).toBe(0);
      expect(err.split('\n')).toEqual([
        'a b/c~d: Dated has no JSON Schema: Date cannot be represented in JSON Schema',
        'a b/c~d: Own has no JSON Schema: a schema of own has no JSON Schema by itself',
      ]);
      const document = parse(out.join('\n'));
      const { messages } = document.channels['a b/c~d'];
      expect(Object.keys(messages).toSorted()).toEqual(['Dated', 'More', 'Own', 'com.example/Placed~1']);
      // What a sender gives.
      expect(messages['com.example/Placed~1'].payload.properties).toEqual({ at: { type: 'string' } });
      expect(Object.keys(document.operations)).toEqual(['a b/c~d.receive']);
    });
  });

  const shared = `
    import { defineContract } from 'sagabox';
    import { z } from 'zod';
    export const billing = defineContract('billing', { ChargeCard: z.object({}) });
  `;
  const receiver = `
    import { defineHandlers } from 'sagabox';
    import { billing } from './contracts.mjs';
    export const handlers = defineHandlers({ messages: billing.messages, handlers: { ChargeCard() {} } });
  `;
  const publisher = `
    import { defineHandlers } from 'sagabox';
    import { z } from 'zod';
    import { billing } from './contracts.mjs';
    export const handlers = defineHandlers({
      messages: { Go: z.object({}) },
      publishes: [billing],
      handlers: { Go() {} },
    });
  `;

  it('refuses a contract that two endpoints claim, unless it is published', async () => {
    await inModules({ contracts: shared, first: receiver, second: receiver, publisher }, async (paths) => {
      const both = [`${paths.contracts}`, `${paths.first}`, `${paths.second}`];
      const { exitCode, err } = await runCommandLine('contracts', ...both);
      expect(exitCode).toBe(2);
      expect(err).toContain(
        `the contract 'billing': 'ChargeCard' is taken by ${paths.first}: handlers and ${paths.second}: handlers`,
      );
      expect((await runCommandLine('contracts', ...both, `${paths.publisher}`)).exitCode).toBe(0);
    });
  });

  it('takes a contract that nobody of the modules publishes for published with --published', async () => {
    await inModules({ contracts: shared, first: receiver, second: receiver }, async (paths) => {
      const both = [`${paths.contracts}`, `${paths.first}`, `${paths.second}`];
      const { exitCode, out } = await runCommandLine('contracts', ...both, '--published', 'billing');
      expect({ exitCode, last: out.at(-1) }).toEqual({
        exitCode: 0,
        last: '  published by: none of the modules',
      });
      const unknown = await runCommandLine('contracts', ...both, '--published', 'biling');
      expect(unknown).toMatchObject({ exitCode: 2, err: expect.stringContaining("no contract 'biling'") });
    });
  });

  it('refuses a title and a version of no document', async () => {
    const { exitCode, err } = await runCommandLine(
      'contracts',
      'none.mjs',
      '--title',
      'a',
      '--api-version',
      '1',
    );
    expect([exitCode, err]).toEqual([
      2,
      expect.stringMatching(/--title: it has no effect without --asyncapi.*--api-version: it has no effect/s),
    ]);
  });

  it('refuses two contracts that claim one message type', async () => {
    const other = shared.replace('z.object({})', 'z.object({ orderId: z.string() })');
    const unknown = shared.replace('z.object({})', 'z.object({ at: z.date() })');
    await inModules({ contracts: shared, copy: shared, other, unknown, unknown2: unknown }, async (paths) => {
      expect((await runCommandLine('contracts', `${paths.contracts}`, `${paths.copy}`)).exitCode).toBe(0);
      for (const two of [
        [paths.contracts, paths.other],
        [paths.unknown, paths.unknown2],
      ]) {
        const { exitCode, err } = await runCommandLine('contracts', ...two.map(String));
        expect(exitCode).toBe(2);
        expect(err).toContain("both claim the message type 'ChargeCard'");
      }
    });
  });

  it('tells the receivers of two contracts apart whose messages are alike', async () => {
    const contracts = `
      import { defineContract, defineHandlers } from 'sagabox';
      import { z } from 'zod';
      const order = z.object({});
      const north = defineContract('north', { Cancel: order });
      const south = defineContract('south', { Cancel: z.object({}) });
      const handlers = { Cancel() {} };
      export const atNorth = defineHandlers({ messages: north.messages, replies: [north], handlers });
      export const atSouth = defineHandlers({ messages: south.messages, replies: [south], handlers });
      const east = defineContract('east', { Cancel: order });
      export const atEast = defineHandlers({ messages: east.messages, replies: [east], handlers });
    `;
    await inModules({ contracts }, async (paths) => {
      const { exitCode, out } = await runCommandLine('contracts', `${paths.contracts}`);
      expect(exitCode).toBe(0);
      const takenBy = out.filter((line) => line.includes('taken by'));
      // One object is in two contracts: it is that of either.
      expect(takenBy.map((line) => line.replaceAll(`${paths.contracts}: `, '').trim())).toEqual([
        'taken by: atEast, atNorth',
        'taken by: atEast, atNorth',
        'taken by: atSouth',
      ]);
    });
  });

  it('reads handlers, middlewares and producers, also of bundles that each have sagabox and the contracts', async () => {
    const contracts = `
      import { defineContract } from 'sagabox';
      import { z } from 'zod';
      export const billing = defineContract('billing', { ChargeCard: z.object({}) }, { replies: { CardCharged: z.null() } });
      export const events = defineContract('events', { Charged: z.object({}) });
      export const mail = defineContract('mail', { Welcome: z.object({ to: z.string() }) });
    `;
    const entries = {
      contracts,
      api: `
        import { createProducer, outboxSession } from 'sagabox';
        import { billing, events } from './contracts.mjs';
        export const session = outboxSession({ sends: [billing] });
        export const publisher = createProducer({ topicArn: undefined, contract: events });
        export const handler = async () => {};
      `,
      billing: `
        import { createHandler, defineHandlers } from 'sagabox';
        import { billing } from './contracts.mjs';
        const handlers = defineHandlers({ messages: billing.messages, replies: [billing], handlers: { ChargeCard() {} } });
        export const handler = createHandler(handlers);
      `,
      first: `
        import { createHandler, defineHandlers } from 'sagabox';
        import { events } from './contracts.mjs';
        export const handlers = defineHandlers({ messages: events.messages, handlers: { Charged() {} } });
        export const handler = createHandler(handlers);
      `,
      second: `
        import { createHandler, createProducer, defineHandlers, sagaOutbox, streamBatch } from 'sagabox';
        import { events, mail } from './contracts.mjs';
        const handlers = defineHandlers({ messages: events.messages, handlers: { Charged() {} } });
        export const charged = createHandler(handlers);
        export const outbox = sagaOutbox({ sends: [mail] });
        export const producer = createProducer({ queueUrl: undefined, contract: mail });
        export const stream = streamBatch(() => {}, { sends: [mail] });
      `,
    };
    await inModules(entries, async (paths) => {
      const folder = dirname(`${paths.api}`);
      await symlink(join(repository, 'node_modules'), join(folder, 'node_modules'));
      const outdir = join(folder, 'dist');
      await build({
        entryPoints: [paths.api, paths.billing, paths.first, paths.second].map(String),
        outdir,
        outExtension: { '.js': '.mjs' },
        bundle: true,
        format: 'esm',
        platform: 'node',
        conditions: ['sagabox-source'],
        external: ['@aws-sdk/*', '@middy/*'],
        logLevel: 'silent',
      });
      await stop();
      const bundles = ['api', 'billing', 'first', 'second'].map((name) => join(outdir, `${name}.mjs`));
      const { exitCode, out, err } = await runCommandLine('contracts', ...bundles);
      expect({ exitCode, err }).toEqual({ exitCode: 0, err: '' });
      expect(out.join('\n').replaceAll(`${outdir}/`, '')).toBe(
        [
          'billing',
          '  messages: ChargeCard',
          '  replies: CardCharged',
          '  taken by: billing.mjs: handler',
          '  sent by: api.mjs: session',
          'events',
          '  messages: Charged',
          '  taken by: first.mjs: handlers, second.mjs: charged',
          '  published by: api.mjs: publisher',
          'mail',
          '  messages: Welcome',
          '  taken by: none of the modules',
          '  sent by: second.mjs: outbox, second.mjs: producer, second.mjs: stream',
        ].join('\n'),
      );
    });
  });

  it.each([
    ['a module that is not there', 'none.mjs', /none\.mjs cannot be loaded/],
    ['a module without contracts', join(repository, 'lambdas/ledger.ts'), /no module exports a contract/],
  ])('refuses %s', async (_case, path, problem) => {
    const { exitCode, err } = await runCommandLine('contracts', path);
    expect(exitCode).toBe(2);
    expect(err).toMatch(problem);
  });
});
