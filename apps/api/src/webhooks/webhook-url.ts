import { checkUrl } from '@notify/egress';
import type { Settings } from '@notify/runtime';

/** What is wrong with a webhook's URL under these settings, or null. Names are looked up at every delivery, not here. */
export function judgeWebhookUrl(
  url: string,
  settings: Pick<Settings, 'allowPrivateWebhooks' | 'egressAllow'>,
): string | null {
  // The parser would silently drop these.
  if (/[\s\p{Cc}]/u.test(url)) return 'must not contain spaces or control characters';
  // Without its slashes a URL still parses, but it is not what its owner meant.
  if (!/^[a-z]+:\/\//i.test(url)) return 'must be an absolute URL';
  return checkUrl(url, { allowPrivate: settings.allowPrivateWebhooks, allow: settings.egressAllow });
}
