/** An element of a parsed document. */
export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly (XmlElement | string)[];
}

const token =
  /<!DOCTYPE html>\s*|<(\/?)([A-Za-z][\w:.-]*)((?:\s+[A-Za-z_][\w:.-]*="[^"<]*")*)\s*(\/?)>|[^<]+/gy;
const reference = /&(?:lt|gt|amp|quot|apos|#\d+|#x[\da-fA-F]+);/g;

/**
 * Parses a document as strictly as XML is, as far as we use it: elements, quoted attributes, texts.
 *
 * @throws Error when it is not well-formed
 */
export function parseXml(document: string): XmlElement {
  type Open = { name: string; attributes: Record<string, string>; children: (XmlElement | string)[] };
  const root: Open = { name: '', attributes: {}, children: [] };
  const open: Open[] = [root];
  token.lastIndex = 0;
  while (token.lastIndex < document.length) {
    const at = token.lastIndex;
    const match = token.exec(document);
    if (match === null) throw new Error(`Not well-formed at ${at}: ${document.slice(at, at + 60)}`);
    const [text, slash, name, attributes = '', closed] = match;
    const parent = open.at(-1) ?? root;
    if (name === undefined) {
      if (!text.startsWith('<!')) parent.children.push(decode(text));
    } else if (slash === '/') {
      if (parent.name !== name || attributes !== '')
        throw new Error(`</${name}> at ${at} closes <${parent.name}>`);
      open.pop();
    } else {
      const element: Open = { name, attributes: readAttributes(attributes), children: [] };
      parent.children.push(element);
      if (closed !== '/') open.push(element);
    }
  }
  if (open.length > 1) throw new Error(`<${open.at(-1)?.name}> is not closed`);
  const elements = root.children.filter((child) => typeof child !== 'string');
  const [only] = elements;
  if (only === undefined || elements.length > 1) throw new Error(`${elements.length} root elements`);
  return only;
}

function readAttributes(text: string): Record<string, string> {
  const attributes: Record<string, string> = {};
  for (const [, name = '', value = ''] of text.matchAll(/\s+([\w:.-]+)="([^"]*)"/g)) {
    if (Object.hasOwn(attributes, name)) throw new Error(`${name} is given twice`);
    attributes[name] = decode(value);
  }
  return attributes;
}

function decode(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: XML does not allow them
  if (/[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/.test(text) || !text.isWellFormed())
    throw new Error(`A character that XML does not allow in ${JSON.stringify(text)}`);
  if (text.replace(reference, '').includes('&')) throw new Error(`A bare & in ${JSON.stringify(text)}`);
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');
}

/** All elements of a name, in the order of the document. */
export function elementsOf(element: XmlElement, name: string): XmlElement[] {
  const below = element.children.flatMap((child) =>
    typeof child === 'string' ? [] : elementsOf(child, name),
  );
  return element.name === name ? [element, ...below] : below;
}

/** The text of an element and of all below it. */
export function textOf(element: XmlElement): string {
  return element.children.map((child) => (typeof child === 'string' ? child : textOf(child))).join('');
}
