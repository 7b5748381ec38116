import { mostCounted } from '@notify/db/explanations';

/** Words of a provider, of a tenant or of ours as a sentence; empty without any. */
export function sentence(text: string | null): string {
  return text === null || text === '' || /[.!?]$/.test(text) ? (text ?? '') : `${text}.`;
}

/** Words to stand within a sentence: ` (Too Many Requests)`; empty without any. */
export function inBrackets(...words: readonly (string | null)[]): string {
  const said = words.filter((one) => one !== null && one !== '').join(', ');
  return said === '' ? '' : ` (${said.replace(/\.$/, '')})`;
}

/** Without control and format characters, which could drive a terminal or turn the direction of text. */
export function plain(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ').trim();
}

/** `One message`, `12 messages`, `At least 1,000 messages`: no more than that are counted. */
export function countOf(count: number, one: string, several = `${one}s`): string {
  if (count === 1) return `One ${one}`;
  const mark = count >= mostCounted ? 'At least ' : '';
  return `${mark}${Math.min(count, mostCounted).toLocaleString('en')} ${several}`;
}
