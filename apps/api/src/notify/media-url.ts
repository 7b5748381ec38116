/** What is wrong with the URL of a file, or null: it must be absolute http(s), without userinfo. Nothing is fetched. */
export function judgeMediaUrl(text: string): string | null {
  // The parser would silently drop these.
  if (/[\s\p{Cc}]/u.test(text)) return 'must not contain spaces or control characters';
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return 'must be an absolute http or https URL';
  const url = new URL(text);
  if (url.username !== '' || url.password !== '') return 'must not contain a user name or password';
  return null;
}
