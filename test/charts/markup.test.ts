import { describe, expect, it } from '@jest/globals';
import { markup, printable } from '../../lib/charts/markup.ts';
import { parseXml, textOf } from '../support/xml.ts';

const hostile = `</title><script>alert("1")</script>&amp;'\u0000\u001b[31m\ud800`;

describe('markup', () => {
  it('escapes strings, as content and in attributes', () => {
    const { markup: text } = markup`<p title="${hostile}">${[hostile]}</p>`;
    expect(text).not.toMatch(/<script|<\/title/);
    const parsed = parseXml(text);
    const shown = `</title><script>alert("1")</script>&amp;'\ufffd\ufffd[31m\ufffd`;
    expect([parsed.attributes.title, textOf(parsed)]).toEqual([shown, shown]);
  });

  it('takes markup as it is, and lists line by line', () => {
    const cells = ['a & b', 1].map((cell) => markup`<td>${cell}</td>`);
    expect(markup`<tr>${cells}</tr>${[]}`.markup).toBe('<tr><td>a &amp; b</td>\n<td>1</td></tr>');
  });

  it('leaves what can be printed', () => {
    expect(printable('Bestellung – 注文 🚀')).toBe('Bestellung – 注文 🚀');
  });
});

describe('the parser of the tests', () => {
  it.each([
    ['<a><b></a></b>', 'closes'],
    ['<a>', 'not closed'],
    ['<a b=c></a>', 'Not well-formed'],
    ['<a>&nbsp;</a>', 'bare &'],
    ['<a></a><b></b>', '2 root elements'],
    ['<a x="1" x="2"></a>', 'given twice'],
    ['<a>\u0000</a>', 'does not allow'],
  ])('refuses %j', (document, problem) => {
    expect(() => parseXml(document)).toThrow(problem);
  });
});
