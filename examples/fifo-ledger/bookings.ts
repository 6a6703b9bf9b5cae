import { testApp } from 'sagabox/testing';
import { accountSaga } from './ledger.ts';

/**
 * Two accounts, each of which deposits before it withdraws.
 *
 * @param seed deliveries run side by side, in an order that it chooses
 * @returns the balances
 */
export async function bookedBalances(seed: number): Promise<Readonly<Record<string, number>>> {
  const app = testApp([{ endpoint: 'ledger', handles: accountSaga, fifo: true, publishTo: 'bookings' }], {
    seed,
  });
  const accounts = ['ann', 'bob'];
  for (const account of accounts) {
    const group = { messageGroupId: account };
    app.send('ledger', 'Deposited', { account, cents: 100 }, group);
    app.send('ledger', 'WithdrawalRequested', { account, cents: 80 }, group);
    app.send('ledger', 'WithdrawalRequested', { account, cents: 80 }, group);
    app.send('ledger', 'Deposited', { account, cents: 5 }, group);
  }
  await app.deliverAll();
  return Object.fromEntries(
    accounts.map((account) => [account, app.state(accountSaga, account)?.balance ?? 0]),
  );
}
