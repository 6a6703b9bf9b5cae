import { describe, expect, it } from '@jest/globals';
import { requestedStatements } from '../../../lib/capacity/measured/requested-statements.ts';

const values = ['1', '2', '3', '4'].map((N) => ({ N }));

function read(Statement: string) {
  const input = { Statements: [{ Statement, Parameters: values }] };
  return requestedStatements({ operation: 'BatchExecuteStatement', input, output: {} });
}

describe('the statements of a batch', () => {
  it('set paths, whatever their names hold, where a key says', () => {
    const text = 'UPDATE "T""1" SET "a b" = ? SET "pending"."x""."" = ?" = ? WHERE "PK" = ? AND "SK" = ?';
    expect(read(text)).toEqual([
      {
        tableName: 'T"1',
        text,
        key: { PK: { N: '3' }, SK: { N: '4' } },
        sets: [
          { path: ['a b'], value: { N: '1' } },
          { path: ['pending', 'x"." = ?'], value: { N: '2' } },
        ],
        isRefused: false,
      },
    ]);
  });

  it('put the attributes of an item', () => {
    expect(read(`INSERT INTO "T" VALUE {'PK': ?, 'SK': ?, 'it''s': ?}`)).toMatchObject([
      { key: { PK: { N: '1' }, SK: { N: '2' } }, sets: [{ path: ["it's"], value: { N: '3' } }] },
    ]);
  });
});
