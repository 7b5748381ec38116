/**
 * The text without characters that move the cursor, colour, or turn the direction of what follows. Texts from outside (an
 * inbound message, the answer of a provider) go through this before a terminal shows them.
 */
export function plain(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Bidi_Control}\u2028\u2029]+/gu, ' ').trim();
}

/**
 * The text as a stream may show it: with line breaks, tabs and, if the stream shows colours, our colours, but without
 * anything else that `plain` removes. Everything that is written for people goes through this, whether or not it came
 * from outside.
 */
export function harmless(text: string, colours: boolean): string {
  // oxlint-disable-next-line eslint/no-control-regex -- these are the characters that it removes
  const kept = colours ? /^(?:[\n\t]|\u001b\[\d{1,2}m)$/ : /^[\n\t]$/;
  return text.replaceAll(
    // oxlint-disable-next-line eslint/no-control-regex -- as above
    /\u001b\[\d{1,2}m|[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu,
    (sequence) => (kept.test(sequence) ? sequence : ' '),
  );
}

/** JSON that no terminal takes for commands: the C1 controls, which JSON.stringify leaves alone, are escaped too. */
export function jsonText(value: unknown, indent?: number): string {
  return JSON.stringify(value, null, indent).replaceAll(
    /[\u007f-\u009f]/g,
    (character) => `\\u00${character.charCodeAt(0).toString(16)}`,
  );
}
