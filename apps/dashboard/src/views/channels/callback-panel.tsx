import { Alert, Group, List, Stack, Text } from '@mantine/core';
import type { ChannelAccount } from '@notify/sdk';
import type { ReactNode } from 'react';
import { CodeLine } from '../../parts/copy/code-line.tsx';
import { WarningIcon } from '../../parts/icons.tsx';
import { Section } from '../../parts/section.tsx';
import { guideOf } from './provider-guides.ts';
import { unsignedAdvice } from './unsigned-callbacks.ts';

/** The address for the provider's receipts and for incoming messages, and where to enter it. */
export function CallbackPanel({ account }: { readonly account: ChannelAccount }): ReactNode {
  const { callback } = guideOf(account.provider);
  return (
    <Section
      title={
        callback?.need === 'required'
          ? 'Receipts and incoming messages: set up at the provider'
          : 'Receipts and incoming messages'
      }
    >
      {account.callbackUrl === null ? (
        <Text size="sm">
          Receipts and incoming messages are not available yet, because this service does not know its public
          address. Once the operator sets PUBLIC_URL, the callback URL appears here.
        </Text>
      ) : (
        <Stack gap="sm">
          {callback !== undefined && (
            <List type="ordered" size="sm" spacing={6}>
              {callback.steps.map((step) => (
                <List.Item key={step}>{step}</List.Item>
              ))}
            </List>
          )}
          <UnsignedAlert account={account} />
          <Labelled label="Callback URL">
            <CodeLine code={account.callbackUrl} label="Copy the callback URL" />
          </Labelled>
          {callback?.verifyToken === true && (
            <VerifyToken isOurs={account.settings['verifyToken'] === undefined} />
          )}
        </Stack>
      )}
    </Section>
  );
}

function UnsignedAlert({ account }: { readonly account: ChannelAccount }): ReactNode {
  const advice = unsignedAdvice(account);
  if (advice === null) return null;
  return (
    <Alert color="yellow" icon={<WarningIcon />} title="Callbacks are unsigned">
      The secret in the callback URL is their only proof, so anybody who learns the URL can report deliveries
      and write messages to this account. {advice}
    </Alert>
  );
}

function Labelled({ label, children }: { readonly label: string; readonly children: ReactNode }): ReactNode {
  return (
    <div>
      <Text size="sm" fw={500} mb={4}>
        {label}
      </Text>
      {children}
    </div>
  );
}

/** Stored secrets are not shown, so the tenant's own verify token is only mentioned. */
function VerifyToken({ isOurs }: { readonly isOurs: boolean }): ReactNode {
  return (
    <Labelled label="Verify token">
      <Group gap="xs">
        <Text size="sm">
          {isOurs
            ? 'Any word works, because “Settings” has no verify token. The callback URL itself is secret.'
            : 'The verify token under “Settings”. If you no longer have it, enter a new one there first.'}
        </Text>
      </Group>
    </Labelled>
  );
}
