// node --conditions=sagabox-source examples/fifo-ledger/run.ts
import { bookedBalances } from './bookings.ts';

for (const seed of [1, 2, 3]) console.log(`order of deliveries ${seed}:`, await bookedBalances(seed));
