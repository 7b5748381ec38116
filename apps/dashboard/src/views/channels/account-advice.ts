import type { ChannelAccount } from '../../api/schema.ts';

/** What an account's state means, and what its owner can do about it. */
export interface Advice {
  readonly tone: 'problem' | 'waiting' | 'hint';
  readonly title: string;
  /** What happened, in the provider's or our own words; null where the title says all. */
  readonly detail: string | null;
  readonly toDo: string;
}

type State = Pick<ChannelAccount, 'provider' | 'status' | 'statusDetail' | 'lastConnectedAt'>;

const whileItWaits = 'Messages wait until then, or until they expire.';

/** Advice about an account; null where all is well. `linking`: its accounts are linked to a phone. */
export function adviceOn(
  { provider, status, statusDetail, lastConnectedAt }: State,
  linking: boolean,
): Advice | null {
  const detail = statusDetail;
  switch (status) {
    case 'action-required':
      // The panel of the phone says all there is to say of one that never was linked.
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

/** The account that becomes the default of its channel when this one is removed; null where that changes nothing, or none is left. */
export function heirOf<T extends Pick<ChannelAccount, 'id' | 'channel' | 'provider' | 'isDefault'>>(
  account: T,
  all: readonly T[],
): T | null {
  if (!account.isDefault) return null;
  const others = all
    .filter(({ id, channel }) => id !== account.id && channel === account.channel)
    .toSorted((one, other) => (one.id < other.id ? -1 : 1));
  return others.find(({ provider }) => provider !== 'sandbox') ?? others[0] ?? null;
}
