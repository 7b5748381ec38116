import type { CreatedApiKey } from '@notify/sdk';

/** The curl command for a key that does not send: what it may do first. */
export function readingCommand(
  origin: string,
  { key, scopes }: Pick<CreatedApiKey, 'key' | 'scopes'>,
): string {
  const messages = `${origin}/v1/notify/messages`;
  const header = `-H 'X-Api-Key: ${key}'`;
  if (scopes.includes('list')) return `curl ${messages} \\\n  ${header}`;
  if (scopes.includes('read')) return `curl ${messages}/msg_… \\\n  ${header}`;
  if (scopes.includes('cancel')) return `curl -X POST ${messages}/msg_…/cancel \\\n  ${header}`;
  const conversations = `${origin}/v1/notify/conversations`;
  if (scopes.includes('conversations:read')) return `curl ${conversations} \\\n  ${header}`;
  return `curl -X POST ${conversations}/cnv_…/read \\\n  ${header}`;
}
