import type { Conversation, Provider } from '@notify/sdk';
import { useCallback, useRef, useState } from 'react';
import { useChange } from '../../api/hooks.ts';

const stored = 'notify-tell-contacts';

/** How often a contact is shown that somebody types, in ms: as long as Telegram shows it. */
const everyMs = 5_000;

/** Whether contacts are told that messages were read and that somebody types: a choice of this browser, at first not. */
export function useTelling(): readonly [isOn: boolean, set: (isOn: boolean) => void] {
  const [isOn, setOn] = useState(() => localStorage.getItem(stored) === 'on');
  const set = useCallback((next: boolean) => {
    if (next) localStorage.setItem(stored, 'on');
    else localStorage.removeItem(stored);
    setOn(next);
  }, []);
  return [isOn, set];
}

/** What the choice is called, by what the provider can tell. Null if it can tell nothing. */
export function tellingLabel(provider: Pick<Provider, 'capabilities'> | undefined): string | null {
  const states = provider?.capabilities.chatStates ?? [];
  const says = [...(states.includes('read') ? ['read'] : []), ...(states.includes('typing') ? ['type'] : [])];
  return says.length === 0 ? null : `Show the contact when you ${says.join(' and ')}`;
}

/** Returns what to call at every keystroke. It shows the contact that somebody types, at most every five seconds. */
export function useTyping({ id }: Pick<Conversation, 'id'>, isOn: boolean): () => void {
  const { mutate } = useChange('post /v1/conversations/{id}/typing');
  const last = useRef(-Infinity);
  return useCallback(() => {
    const now = performance.now();
    if (!isOn || now - last.current < everyMs) return;
    last.current = now;
    // Best effort: a failure concerns nobody.
    mutate({ path: { id } });
  }, [id, isOn, mutate]);
}
