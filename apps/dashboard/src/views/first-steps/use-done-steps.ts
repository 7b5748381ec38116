import { useRead } from '../../api/hooks.ts';
import type { StepName } from './commands.ts';

/** How often to check for another finished step, perhaps by a shell command, in ms. */
const lookAgainMs = 8_000;

/** The finished steps; null until they are known, or if they cannot be read. */
export function useDoneSteps(): ReadonlySet<StepName> | null {
  const often = { everyMs: lookAgainMs };
  const { data: accounts } = useRead('get /v1/channel-accounts', {}, often);
  const { data: keys } = useRead('get /tenant/api-keys', {}, often);
  const { data: messages } = useRead('get /v1/messages', { query: { limit: 1 } }, often);
  const { data: webhooks } = useRead('get /v1/webhooks', {}, often);
  if (accounts === undefined || keys === undefined || messages === undefined || webhooks === undefined)
    return null;
  const done: Record<StepName, boolean> = {
    connect: accounts.some(({ provider }) => provider !== 'sandbox'),
    key: keys.length > 0,
    send: messages.data.length > 0,
    webhook: webhooks.length > 0,
  };
  return new Set((Object.keys(done) as StepName[]).filter((name) => done[name]));
}
