import { Converter } from 'typedoc';

const wrapped = /^```ts\n([\s\S]*)\n```$/;

/** Shows a `@default` that is a sentence as one, where TypeDoc takes each for code: its links lead to pages then. */
export function load(app) {
  app.converter.on(Converter.EVENT_RESOLVE_BEGIN, ({ project }) => {
    for (const { comment } of Object.values(project.reflections)) {
      for (const part of comment?.getTags('@default').flatMap(({ content }) => content) ?? []) {
        const [, text = ''] = wrapped.exec(part.text) ?? [];
        // As the CDK marks it, or with a word before its first space.
        if (!/^(?:- |[a-z]+,? )/.test(text)) continue;
        part.kind = 'text';
        part.text = text.replace(/^- /, '');
      }
    }
  });
}
