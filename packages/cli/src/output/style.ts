import { styleText } from 'node:util';

/** Colours a text, or leaves it alone where colours are off. */
export interface Style {
  readonly bold: (text: string) => string;
  readonly dim: (text: string) => string;
  readonly red: (text: string) => string;
  readonly green: (text: string) => string;
  readonly yellow: (text: string) => string;
  readonly cyan: (text: string) => string;
}

/** The style of a stream that shows colours, or of one that does not. */
export function styleOf(colours: boolean): Style {
  const style = (format: keyof Style) => (text: string) =>
    colours ? styleText(format, text, { validateStream: false }) : text;
  return {
    bold: style('bold'),
    dim: style('dim'),
    red: style('red'),
    green: style('green'),
    yellow: style('yellow'),
    cyan: style('cyan'),
  };
}
