import { interactiveLimits } from '@notify/core';

/** What somebody can choose: `id` as it was typed; empty if it follows from the title. */
export interface Choice {
  readonly title: string;
  readonly id: string;
}

/** The bytes of an ID in UTF-8. */
export function bytesOf(id: string): number {
  return new TextEncoder().encode(id).length;
}

/**
 * The IDs of the choices of one message: what was typed, otherwise one made from the title. A made one differs from all others and
 * fits the limit. One that was typed stays as it is, even if it is wrong.
 */
export function idsOf(choices: readonly Choice[]): string[] {
  const taken = new Set(choices.map(({ id }) => id).filter((id) => id !== ''));
  return choices.map(({ title, id }, index) => {
    if (id !== '') return id;
    const made = unique(wordsOf(title) || `choice-${index + 1}`, taken);
    taken.add(made);
    return made;
  });
}

/** `Next week?` → `next-week`. Letters and digits of every script stay. */
function wordsOf(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, '-')
    .replaceAll(/^-|-$/g, '');
}

function unique(wish: string, taken: ReadonlySet<string>): string {
  for (let number = 1; ; number += 1) {
    const end = number === 1 ? '' : `-${number}`;
    const made = `${cut(wish, interactiveLimits.idBytes - end.length)}${end}`;
    if (!taken.has(made)) return made;
  }
}

/** The longest beginning of whole characters within so many bytes. */
function cut(text: string, bytes: number): string {
  let kept = '';
  for (const character of text) {
    if (bytesOf(kept + character) > bytes) break;
    kept += character;
  }
  return kept;
}
