import { bareMiddy } from '../peers/bare-middy.ts';
import { powertools } from '../peers/powertools.ts';
import { sagaboxDeduplication, sagaboxSaga } from './sagabox.ts';

export const contenders = {
  sagabox: sagaboxDeduplication,
  sagaboxSaga,
  powertools,
  middy: bareMiddy,
} as const;
