import type { TemplateText } from '@notify/core';

/** A stretch of a template's text, and where it comes from. */
export interface Piece {
  readonly text: string;
  /** `fixed`: the template's own. `given`: entered. `sample`: the template's sample value. `open`: a place without either. */
  readonly from: 'fixed' | 'given' | 'sample' | 'open';
}

/** Looks up the value for a variable; undefined or empty if there is none. */
export type ValueOf = (name: string) => string | undefined;

/** Meta's and Twilio's form of a place in a text. */
const place = /\{\{\s*([^{}]+?)\s*\}\}/g;

/** A text with each `{{name}}` filled: with its value, else its sample, else with the place itself. */
export function fillText({ text, variables }: TemplateText, valueOf: ValueOf): Piece[] {
  const samples = new Map(variables.map(({ name, example }) => [name, example]));
  const pieces: Piece[] = [];
  let end = 0;
  for (const match of text.matchAll(place)) {
    const [whole, name = ''] = match;
    // Braces of the text that name no variable stay as they are.
    if (!samples.has(name)) continue;
    if (match.index > end) pieces.push({ text: text.slice(end, match.index), from: 'fixed' });
    pieces.push(fillPlace(whole, valueOf(name), samples.get(name)));
    end = match.index + whole.length;
  }
  if (end < text.length) pieces.push({ text: text.slice(end), from: 'fixed' });
  return pieces;
}

/** One place: with its value, else its sample, else itself. */
export function fillPlace(
  whole: string,
  value: string | undefined,
  sample: string | null | undefined,
): Piece {
  if (value !== undefined && value !== '') return { text: value, from: 'given' };
  if (sample !== undefined && sample !== null && sample !== '') return { text: sample, from: 'sample' };
  return { text: whole, from: 'open' };
}
