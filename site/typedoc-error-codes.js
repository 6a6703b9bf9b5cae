import { Converter, makeRecursiveVisitor, ReferenceType } from 'typedoc';
import { errorMessages } from '../lib/kernel/errors/errors.ts';

const codes = new Set(Object.keys(errorMessages));
const isCode = ({ type, value }) => type === 'literal' && codes.has(value);

/** Shows `ErrorCode` where TypeDoc, which gets the type from the compiler, has the union of all codes. */
export function load(app) {
  app.converter.on(Converter.EVENT_RESOLVE_BEGIN, ({ project }) => {
    const reflections = Object.values(project.reflections);
    const errorCode = reflections.find(({ name }) => name === 'ErrorCode');
    const visitor = makeRecursiveVisitor({
      union(union) {
        if (union.types.filter(isCode).length < codes.size) return;
        const others = union.types.filter((type) => !isCode(type));
        union.types = [ReferenceType.createResolvedReference('ErrorCode', errorCode, project), ...others];
      },
    });
    for (const { type } of reflections) type?.visit?.(visitor);
  });
}
