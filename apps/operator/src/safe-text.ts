/**
 * Text for a terminal, in which characters that control it, or turn its direction around, are written as `\u0007`.
 * Tenants choose their names. Ends of lines stay. In JSON this is the same string.
 */
export function safeText(text: string): string {
  return text.replace(/[^\P{Cc}\n]|[\p{Cf}\p{Zl}\p{Zp}]/gu, (one) =>
    Array.from({ length: one.length }, (_, at) => escaped(one.charCodeAt(at))).join(''),
  );
}

/** Text of one line. */
export function safeLine(text: string): string {
  return safeText(text).replaceAll('\n', escaped(10));
}

const escaped = (unit: number): string => `\\u${unit.toString(16).padStart(4, '0')}`;
