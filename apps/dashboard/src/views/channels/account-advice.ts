import type { ChannelAccount } from '@notify/sdk';
import { channelName } from '../../parts/channel-name.ts';
import { type NetworkTrouble, networkTrouble } from './network-trouble.ts';

/** The meaning of a state, of an account or of its templates, and advice for the owner. */
export interface Advice {
  readonly tone: 'problem' | 'waiting' | 'hint';
  readonly title: string;
  /** The cause, in the provider's or our own words; null if the title says everything. */
  readonly detail: string | null;
  readonly toDo: string;
}

type State = Pick<
  ChannelAccount,
  'provider' | 'status' | 'statusDetail' | 'lastConnectedAt' | 'defaultDetail'
>;

const whileItWaits = 'Messages wait until then, or until they expire.';
const whileItIsRetried = 'Messages wait and are retried until they expire.';
const unchecked =
  'Messages are sent with these settings, which nobody has checked yet. Press Verify to check them.';
const notDefault =
  'It becomes the default after its first successful check or message. To use it now, press Set as default.';

/** Advice about an account; null if it works. `linking`: accounts of this provider are linked to a phone. */
export function adviceOn(
  { provider, status, statusDetail, lastConnectedAt, defaultDetail }: State,
  linking: boolean,
): Advice | null {
  const detail = statusDetail;
  const trouble = linking ? null : networkTrouble(detail, provider);
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
            toDo: `${trouble === null ? 'Fix this account under “Settings” or at the provider, then verify again.' : wordsOf(trouble)} ${whileItWaits}`,
          };
    case 'disconnected':
      return {
        tone: 'waiting',
        title: 'Disconnected',
        detail,
        toDo: `Notify reconnects automatically. ${whileItWaits}`,
      };
    case 'connecting':
      return linking
        ? { tone: 'waiting', title: 'Connecting', detail, toDo: 'This takes a few seconds.' }
        : notTried({ detail, trouble, mayBeDefault: defaultDetail === null });
    case 'connected':
      if (detail !== null && trouble !== null)
        return {
          tone: 'waiting',
          title: 'The provider could not be reached',
          detail: withoutPrefix(detail),
          toDo: `${wordsOf(trouble)} ${whileItIsRetried}`,
        };
      if (detail !== null && !linking) return notChecked(detail);
      if (detail !== null)
        return {
          tone: 'waiting',
          title: 'Connected, with a restriction',
          detail,
          toDo: 'Messages to existing contacts are sent as usual.',
        };
      if (lastConnectedAt !== null || provider === 'sandbox' || linking) return null;
      return { tone: 'hint', title: 'Not verified yet', detail: null, toDo: unchecked };
  }
}

function wordsOf({ what, cure }: NetworkTrouble): string {
  return `${what} ${cure}`;
}

/** An account that nobody has verified since it was made, and that has sent nothing. */
function notTried({
  detail,
  trouble,
  mayBeDefault,
}: {
  readonly detail: string | null;
  readonly trouble: NetworkTrouble | null;
  readonly mayBeDefault: boolean;
}): Advice {
  const toDo = trouble === null ? unchecked : `${wordsOf(trouble)} ${whileItIsRetried}`;
  return {
    tone: 'waiting',
    title: 'Connecting: not verified yet',
    detail: detail === null ? null : withoutPrefix(detail),
    toDo: mayBeDefault ? toDo : `${toDo} ${notDefault}`,
  };
}

/** An account that is connected also has the trouble with what it receives as its detail. */
function notChecked(detail: string): Advice {
  const isUnverified = detail.startsWith('Not verified: ');
  return isUnverified
    ? { tone: 'waiting', title: 'Not verified yet', detail: withoutPrefix(detail), toDo: unchecked }
    : { tone: 'waiting', title: 'Connected, with a problem', detail, toDo: 'Messages are sent as usual.' };
}

/** The title says already that the settings are not verified. */
function withoutPrefix(detail: string): string {
  return detail.replace(/^Not verified: /, '');
}

/** What becomes of the channel of a default account that is removed. */
export function heirWords(account: ChannelAccount, all: readonly ChannelAccount[]): string {
  const heir = heirOf(account, all);
  const channel = channelName(account.channel);
  if (heir !== null) return `“${heir.name}” becomes the default for ${channel}.`;
  const isOnly = !all.some((other) => other.id !== account.id && other.channel === account.channel);
  return isOnly
    ? `This is the only ${channel} account. Until you connect another, ${channel} sends are rejected.`
    : `No other ${channel} account has worked yet, so none becomes the default. Until you set one, ${channel} sends that name no account are rejected.`;
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
    // Refused from the start, never verified, or a phone that was never linked.
    .filter(
      ({ status, lastConnectedAt }) =>
        lastConnectedAt !== null || (status !== 'action-required' && status !== 'connecting'),
    )
    .toSorted((one, other) => (one.id < other.id ? -1 : 1));
  return others.find(({ provider }) => provider !== 'sandbox') ?? others[0] ?? null;
}
