import { styleText } from 'node:util';

export type Color = 'cyan' | 'yellow' | 'green' | 'magenta' | 'blue';

/** Colours a text, or leaves it as it is where colours are not wanted. */
export type Paint = (color: Color, text: string) => string;

export const withoutColors: Paint = (_color, text) => text;

const withColors: Paint = (color, text) => styleText(color, text, { validateStream: false });

/** In colours only for a terminal, and not when NO_COLOR asks for none (no-color.org). */
export function paintFor(
  stream: { readonly isTTY?: boolean },
  environment: Readonly<Record<string, string | undefined>>,
): Paint {
  const { NO_COLOR = '', TERM } = environment;
  return stream.isTTY === true && NO_COLOR === '' && TERM !== 'dumb' ? withColors : withoutColors;
}
