import type { ChannelAccount } from '../../api/schema.ts';

/** The meaning of a state, of an account or of its templates, and advice for the owner. */
export interface Advice {
  readonly tone: 'problem' | 'waiting' | 'hint';
  readonly title: string;
  /** The cause, in the provider's or our own words; null if the title says everything. */
  readonly detail: string | null;
  readonly toDo: string;
}

type State = Pick<ChannelAccount, 'provider' | 'status' | 'statusDetail' | 'lastConnectedAt'>;

const whileItWaits = 'Messages wait until then, or until they expire.';

/** Advice about an account; null if it works. `linking`: accounts of this provider are linked to a phone. */
export function adviceOn(
  { provider, status, statusDetail, lastConnectedAt }: State,
  linking: boolean,
): Advice | null {
  const detail = statusDetail;
  switch (status) {
    case 'action-required':
      // The phone's panel already explains an account that was never linked.
      if (linking && lastConnectedAt === null) return null;
      return linking
        ? { tone: 'problem', title: 'Phone not linked', detail, toDo: whileItWaits }
        : {
            tone: 'problem',
            title: 'This account cannot send',
            detail,
            toDo: `Fix the settings below, or the account at the provider, then verify again. ${whileItWaits}`,
          };
    case 'disconnected':
      return {
        tone: 'waiting',
        title: 'Disconnected',
        detail,
        toDo: `Notify reconnects automatically. ${whileItWaits}`,
      };
    case 'connecting':
      return { tone: 'waiting', title: 'Connecting', detail, toDo: 'This takes a few seconds.' };
    case 'connected':
      if (detail !== null && !linking)
        return {
          tone: 'waiting',
          title: 'Not verified yet',
          detail: withoutPrefix(detail),
          toDo: 'Messages are sent. Verify checks these settings with the provider.',
        };
      if (detail !== null)
        return {
          tone: 'waiting',
          title: 'Connected, with a restriction',
          detail,
          toDo: 'Messages to existing contacts are sent as usual.',
        };
      if (lastConnectedAt !== null || provider === 'sandbox' || linking) return null;
      return {
        tone: 'hint',
        title: 'Not verified yet',
        detail: null,
        toDo: 'Verify checks these settings with the provider. Nothing is sent.',
      };
  }
}

/** The title says already that the settings are not verified. */
function withoutPrefix(detail: string): string {
  return detail.replace(/^Not verified: /, '');
}

/**
 * The account that becomes its channel's default when this one is removed. Null if this one is not the default, or none
 * is left.
 */
export function heirOf<
  T extends Pick<ChannelAccount, 'id' | 'channel' | 'provider' | 'isDefault' | 'status' | 'lastConnectedAt'>,
>(account: T, all: readonly T[]): T | null {
  if (!account.isDefault) return null;
  const others = all
    .filter(({ id, channel }) => id !== account.id && channel === account.channel)
    // Refused from the start, or a phone that was never linked.
    .filter(({ status, lastConnectedAt }) => status !== 'action-required' || lastConnectedAt !== null)
    .toSorted((one, other) => (one.id < other.id ? -1 : 1));
  return others.find(({ provider }) => provider !== 'sandbox') ?? others[0] ?? null;
}
