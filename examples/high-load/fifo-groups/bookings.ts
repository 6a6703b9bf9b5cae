import type { Sent, Stored } from '../measure/design.ts';

const accounts = Array.from({ length: 8 }, (_, index) => `account-${index}`);

const bookingsInARow = 4;

/** Each account has a few bookings in a row, and then the next one. */
export function bookings(messages: number, sent: (account: string) => Omit<Sent, 'type' | 'body'>): Sent[] {
  return Array.from({ length: messages }, (_, index) => {
    const account = accounts[Math.floor(index / bookingsInARow) % accounts.length] ?? '';
    return { ...sent(account), type: 'Booked', body: { account, cents: 5 } };
  });
}

/** Of all accounts together. */
export async function bookedCents(stored: Stored): Promise<number> {
  const states = await Promise.all(accounts.map((account) => stored.sagaState('Account', account)));
  return states.reduce<number>(
    (sum, state) => sum + ((state as { cents: number } | undefined)?.cents ?? 0),
    0,
  );
}
