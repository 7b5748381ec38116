import { Alert, Text } from '@mantine/core';
import type { ChannelAccount, Verification } from '@notify/sdk';
import type { ReactNode } from 'react';
import { useChange } from '../../api/hooks.ts';
import { CheckIcon, WarningIcon } from '../../parts/icons.tsx';
import { checkWords } from './check-words.ts';

/** A check with the provider whether an account's settings work. */
export interface AccountCheck {
  readonly result: Verification | undefined;
  readonly isAsking: boolean;
  /** Why the check failed to run. */
  readonly error: Error | null;
  readonly run: () => void;
  /** Forgets the last result. */
  readonly clear: () => void;
}

const refresh = ['get /v1/channel-accounts', 'get /v1/channel-accounts/{id}'] as const;

/** Checks an account on request. */
export function useAccountCheck(account: ChannelAccount): AccountCheck {
  const change = useChange('post /v1/channel-accounts/{id}/verify', { refresh });
  const { mutate, reset } = change;
  const run = (): void => mutate({ path: { id: account.id } });
  return { result: change.data, isAsking: change.isPending, error: change.error, run, clear: reset };
}

/** The provider's answer, in its own words, or why there is none. */
export function CheckResult({
  check: { result, error, isAsking, clear },
  provider: { id, name },
}: {
  readonly check: AccountCheck;
  readonly provider: { readonly id: string; readonly name: string };
}): ReactNode {
  if (isAsking) {
    return (
      <Alert color="gray" role="status" title={`Verifying with ${name}…`}>
        This takes up to 10 seconds.
      </Alert>
    );
  }
  if (error !== null) {
    return (
      <Alert color="red" role="alert" icon={<WarningIcon />} title="Could not verify">
        {error.message}
      </Alert>
    );
  }
  if (result === undefined) return null;
  const { tone, title, advice } = checkWords(result, { id, name });
  return (
    <Alert
      color={{ good: 'teal', unclear: 'yellow', bad: 'red' }[tone]}
      role={tone === 'good' ? 'status' : 'alert'}
      icon={tone === 'good' ? <CheckIcon /> : <WarningIcon />}
      title={title}
      withCloseButton
      closeButtonLabel="Close"
      onClose={clear}
    >
      <Text size="sm">{result.detail}</Text>
      {advice !== null && (
        <Text size="sm" mt={4}>
          {advice}
        </Text>
      )}
    </Alert>
  );
}
