/** The fault of a file's URL, or null. It must be absolute http(s), without userinfo. Nothing is fetched. */
export function judgeMediaUrl(text: string): string | null {
  // The URL parser would silently drop these characters.
  if (/[\s\p{Cc}]/u.test(text)) return 'must not contain spaces or control characters';
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return 'must be an absolute http or https URL';
  const url = new URL(text);
  if (url.username !== '' || url.password !== '') return 'must not contain a user name or password';
  return null;
}
