import { describe, expect, it } from '@jest/globals';
import { element, lines, printable } from '../../../../lib/cli/plan/charts/markup.ts';
import { parseXml, textOf } from '../../../support/xml.ts';

const hostile = `</title><script>alert("1")</script>&amp;'\u0000\u001b[31m\ud800`;

describe('markup', () => {
  it('escapes texts and attributes, whatever is in them', () => {
    const { markup } = element('p', { title: hostile }, hostile);
    expect(markup).not.toMatch(/<script|<\/title/);
    const parsed = parseXml(markup);
    const shown = `</title><script>alert("1")</script>&amp;'\ufffd\ufffd[31m\ufffd`;
    expect([parsed.attributes.title, textOf(parsed)]).toEqual([shown, shown]);
  });

  it('takes elements as they are, and closes empty ones in the way of HTML', () => {
    const inner = element('td', {}, 'a & b');
    expect(element('tr', { id: 1.23456, class: undefined }, inner, element('td')).markup).toBe(
      '<tr id="1.23"><td>a &amp; b</td><td></td></tr>',
    );
    expect(element('meta', { charset: 'utf-8' }).markup).toBe('<meta charset="utf-8"/>');
  });

  it('puts pieces into lines', () => {
    expect(lines(element('b'), element('i')).markup).toBe('<b></b>\n<i></i>');
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
