import { createGuard, type EgressRules } from './guard.ts';

export interface UrlRules extends EgressRules {
  /** Whether http is fine too. Without it, https is demanded of all that no exception covers (the rule for webhooks). */
  readonly plainHttp?: boolean;
}

/**
 * Judges a URL when it is stored: what is wrong with it, in words for its owner, or null. Looks nothing up, so a name
 * that leads to a private address passes here and is refused at every connect.
 */
export function checkUrl(text: string, rules: UrlRules): string | null {
  if (!URL.canParse(text)) return 'not a URL';
  return createGuard(rules).judgeUrl(new URL(text), rules.plainHttp !== true);
}
