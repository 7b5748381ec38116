import { createGuard, type EgressRules } from './guard.ts';

export interface UrlRules extends EgressRules {
  /** Whether http is allowed. Otherwise every URL without an exception must be https (the rule for webhooks). */
  readonly plainHttp?: boolean;
}

/**
 * Judges a URL when it is stored: its fault, in words for its owner, or null. Looks no name up. So a name that leads to
 * a private address passes here, and is refused at every connect.
 */
export function checkUrl(text: string, rules: UrlRules): string | null {
  if (!URL.canParse(text)) return 'not a URL';
  return createGuard(rules).judgeUrl(new URL(text), rules.plainHttp !== true);
}
