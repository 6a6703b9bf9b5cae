import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Outside of the project: nothing of a run is kept in it. */
export const reportDirectory = join(tmpdir(), 'sagabox-mutation');

export const reportFile = join(reportDirectory, 'mutation.json');
