/**
 * What services beside those of the planner charge in us-east-1, in US dollars, without free tiers: for pages that
 * compare. Prices of tables and queues are the planner's (`pricesOf`).
 *
 * Sources: "AWS Lambda pricing" (functions on Arm, durable functions, and its example that counts operations) and
 * "AWS Step Functions pricing", as read on 2026-11-26 in copies of these pages of 2026-06 to 2026-10.
 */
export const providerPrices = {
  asOf: '2026-10',
  lambda: { perRequest: 0.2e-6, perGigabyteSecond: 0.0000133334 },
  durableFunctions: { perOperation: 8e-6, perGigabyteWritten: 0.25, perGigabyteMonthRetained: 0.15 },
  stepFunctions: { perTransition: 25e-6, perExpressRequest: 1e-6, perExpressGigabyteSecond: 0.00001667 },
} as const;
