import { join } from 'node:path';
import { Converter } from 'typedoc';

/** Names the modules as users import them: `sagabox` for `index`, `sagabox/testing` for `testing`. */
export function load(app) {
  app.converter.on(Converter.EVENT_RESOLVE_BEGIN, ({ project }) => {
    for (const module of project.children ?? []) {
      module.name = module.name === 'index' ? 'sagabox' : join('sagabox', module.name);
    }
  });
}
