import { checkUrl } from '@notify/egress';
import type { Settings } from '@notify/runtime';

/** The fault of a webhook's URL under these settings, or null. Host names are resolved at each delivery, not here. */
export function judgeWebhookUrl(
  url: string,
  settings: Pick<Settings, 'allowPrivateWebhooks' | 'egressAllow'>,
): string | null {
  // The URL parser would silently drop these characters.
  if (/[\s\p{Cc}]/u.test(url)) return 'must not contain spaces or control characters';
  // A URL without its slashes still parses, but not as its owner meant it.
  if (!/^[a-z]+:\/\//i.test(url)) return 'must be an absolute URL';
  return checkUrl(url, { allowPrivate: settings.allowPrivateWebhooks, allow: settings.egressAllow });
}
