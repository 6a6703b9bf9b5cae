// node --conditions=sagabox-source examples/http-api/run.ts
import { answers } from './requests.ts';

for (const [what, answer] of Object.entries(await answers())) console.log(`${what}: ${answer}`);
