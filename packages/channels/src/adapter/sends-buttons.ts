import type { Channel } from '@notify/core';
import type { Adapter } from './channel.ts';

/** Whether a provider sends buttons and lists on the channel. */
export function sendsButtons({ capabilities }: Pick<Adapter, 'capabilities'>, channel: Channel): boolean {
  return capabilities.interactiveOn?.includes(channel) ?? false;
}

/** Why a message with buttons fails where it does not. */
export const noButtonsText = 'The account cannot send buttons or lists, and the message has no fallback.';
