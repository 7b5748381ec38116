/** Another webhook that posts to the same URL; null if there is none. `id` is the webhook's own, null for a new one. */
export function twinOf<T extends { readonly id: string; readonly url: string }>(
  url: string,
  id: string | null,
  webhooks: readonly T[],
): T | null {
  const wanted = sameForm(url);
  return webhooks.find((one) => one.id !== id && sameForm(one.url) === wanted) ?? null;
}

/** Host names in capitals, default ports and a missing slash lead to the same place. */
function sameForm(url: string): string {
  return URL.parse(url)?.href ?? url;
}
