import { expect, it } from '@jest/globals';
import { ComponentSchemas } from '../../../lib/cli/contracts/component-schemas.ts';

function moved(schema: Readonly<Record<string, unknown>>) {
  const components = new ComponentSchemas({});
  return { schema: components.moved('a.T', schema), schemas: components.schemas };
}

it('leaves a schema as it is that refers to nothing', () => {
  const schema = { type: 'object', properties: { a: { type: 'string' }, b: { enum: [1] } } };
  expect(moved(schema)).toEqual({ schema, schemas: {} });
});

it('takes no data for a reference, and no name of a property for a keyword', () => {
  const data = { $ref: '#', definitions: 1 };
  const schema = {
    properties: { $ref: { const: data }, definitions: { default: data }, default: { enum: [data] } },
    examples: [data],
  };
  expect(moved(schema)).toEqual({ schema, schemas: {} });
});

it.each([
  ['#/definitions/a~1b~0c', 'a.T.a_b_c'],
  ['#/definitions/a%2Fb', undefined],
  ['#/definitions/100%', 'a.T.100_'],
  ['#/definitions/d%20e', 'a.T.d_e'],
  ['#/definitions/d e', 'a.T.d_e'],
  ['#/definitions/none', undefined],
  ['#anchor', undefined],
  ['https://example.com/schema#/definitions/100%', undefined],
])('the reference %s is to the component %s', ($ref, component) => {
  const definitions = { 'a/b~c': { title: 'abc' }, '100%': { title: 'all' }, 'd e': { title: 'de' } };
  const { schema, schemas } = moved({ not: { $ref }, definitions });
  expect(schema).toEqual({ not: { $ref: component ? `#/components/schemas/${component}` : $ref } });
  expect(Object.keys(schemas)).toEqual(component ? [component] : []);
});

it('moves a part that is no definition, and one that refers to itself and to the root', () => {
  const list = { items: [{ $ref: '#/properties/list' }, { $ref: '#' }] };
  expect(moved({ properties: { list, other: { $ref: '#/properties/list' } } })).toEqual({
    schema: { $ref: '#/components/schemas/a.T' },
    schemas: {
      'a.T': {
        properties: {
          list: {
            items: [{ $ref: '#/components/schemas/a.T.list' }, { $ref: '#/components/schemas/a.T' }],
          },
          other: { $ref: '#/components/schemas/a.T.list' },
        },
      },
      'a.T.list': {
        items: [{ $ref: '#/components/schemas/a.T.list' }, { $ref: '#/components/schemas/a.T' }],
      },
    },
  });
});
