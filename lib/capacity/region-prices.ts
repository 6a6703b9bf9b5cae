/**
 * The public price list, of all commercial regions that it had. Dollars, in the order of {@link PriceRow}.
 *
 * `npm run prices` compares these rows with the files of the price list, and prints the rows that differ as they
 * have to be. In newer lists, of 2026-08-31 to 2026-10-03, those rows were the same that were at hand: ap-northeast-1
 * and ap-southeast-1 whole; on demand and storage of ap-south-1, ap-southeast-2, eu-central-1, eu-north-1, eu-west-1,
 * eu-west-2, us-east-1, us-west-1 and us-west-2.
 */
export const priceList = {
  /**
   * The day on which the list of DynamoDB was published, and that of SQS, which is published by itself. The next one
   * of SQS, of 2026-09-11, has the same prices in the regions that were at hand.
   */
  asOf: '2025-08-28',
  source:
    'public price lists "AmazonDynamoDB" (standard table class) and "AWSQueueService" (standard queues, first tier)',
} as const;

/**
 * A million read and write request units; a read and a write unit for an hour; a GB for a month; a million
 * requests to standard queues, of the first 100 billion of a month: undefined where the list was not at hand.
 */
export type PriceRow = readonly [
  read: number,
  write: number,
  readHour: number,
  writeHour: number,
  storage: number,
  queue: number | undefined,
];

export const priceRows: Readonly<Record<string, PriceRow>> = {
  'af-south-1': [0.168, 0.84, 0.00017493, 0.00087465, 0.33677, 0.476],
  'ap-east-1': [0.155, 0.785, 0.0001628, 0.000814, 0.3135, undefined],
  'ap-east-2': [0.1282, 0.6435, 0.00013356, 0.0006678, 0.2565, 0.36],
  'ap-northeast-1': [0.1425, 0.715, 0.0001484, 0.000742, 0.285, 0.4],
  'ap-northeast-2': [0.1355, 0.68, 0.00014098, 0.0007049, 0.27075, 0.4],
  'ap-northeast-3': [0.1425, 0.715, 0.0001484, 0.000742, 0.285, undefined],
  'ap-south-1': [0.1425, 0.71, 0.000148, 0.00074, 0.285, 0.4],
  'ap-south-2': [0.1425, 0.71, 0.000148, 0.00074, 0.285, undefined],
  'ap-southeast-1': [0.1425, 0.71, 0.000148, 0.00074, 0.285, 0.4],
  'ap-southeast-2': [0.1425, 0.71, 0.000148, 0.00074, 0.285, 0.4],
  'ap-southeast-3': [0.1425, 0.71, 0.000148, 0.00074, 0.285, 0.4],
  'ap-southeast-4': [0.1425, 0.71, 0.000148, 0.00074, 0.285, undefined],
  'ap-southeast-5': [0.1285, 0.64, 0.0001332, 0.000666, 0.2565, undefined],
  'ap-southeast-6': [0.1496, 0.7455, 0.0001554, 0.000777, 0.29925, undefined],
  'ap-southeast-7': [0.1285, 0.64, 0.0001332, 0.000666, 0.2565, undefined],
  'ca-central-1': [0.1375, 0.6875, 0.000143, 0.000715, 0.275, undefined],
  'ca-west-1': [0.1375, 0.6875, 0.000143, 0.000715, 0.275, undefined],
  'eu-central-1': [0.1525, 0.7625, 0.0001586, 0.000793, 0.306, 0.4],
  'eu-central-2': [0.168, 0.835, 0.000175, 0.000872, 0.3366, undefined],
  'eu-north-1': [0.1345, 0.67, 0.00014, 0.000698, 0.269, undefined],
  'eu-south-1': [0.1485, 0.74, 0.00015435, 0.00077175, 0.29715, undefined],
  'eu-south-2': [0.1415, 0.705, 0.000147, 0.000735, 0.283, undefined],
  'eu-west-1': [0.1415, 0.705, 0.000147, 0.000735, 0.283, 0.4],
  'eu-west-2': [0.1487, 0.7423, 0.0001544, 0.000772, 0.29715, 0.4],
  'eu-west-3': [0.1487, 0.7423, 0.0001544, 0.000772, 0.29715, 0.4],
  'il-central-1': [0.17, 0.85, 0.0001764, 0.000882, 0.3396, 0.42],
  'me-central-1': [0.1555, 0.7755, 0.0001617, 0.0008085, 0.3113, undefined],
  'me-south-1': [0.1555, 0.775, 0.0001617, 0.0008085, 0.3113, undefined],
  'mx-central-1': [0.1315, 0.655, 0.0001365, 0.0006825, 0.2625, 0.42],
  'sa-east-1': [0.1875, 0.9375, 0.000195, 0.000975, 0.375, 0.4],
  'us-east-1': [0.125, 0.625, 0.00013, 0.00065, 0.25, 0.4],
  'us-east-2': [0.125, 0.625, 0.00013, 0.00065, 0.25, 0.4],
  'us-west-1': [0.1395, 0.695, 0.000145, 0.000725, 0.28, 0.4],
  'us-west-2': [0.125, 0.625, 0.00013, 0.00065, 0.25, 0.4],
};
