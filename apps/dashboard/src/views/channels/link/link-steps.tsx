import { Button, Group, List, Loader, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useState } from 'react';
import { CopyButton } from '../../../parts/copy/copy-button.tsx';
import { Countdown } from './countdown.tsx';
import { PhoneForm } from './phone-form.tsx';
import { QrCode } from './qr-code.tsx';
import { useLinking } from './use-linking.ts';
import classes from './link.module.css';

interface Shown {
  readonly text: string;
  readonly endsAt: string;
}

/** The QR code to scan, or a placeholder while the next one is fetched. */
export function ShownQr({
  id,
  shown,
  aheadMs,
}: {
  readonly id: string;
  readonly shown: Shown | null;
  readonly aheadMs: number;
}): ReactNode {
  const [byCode, setByCode] = useState(false);
  return (
    <div className={classes.panel}>
      <Picture shown={shown} aheadMs={aheadMs} />
      <Stack gap="md" flex={1}>
        <Steps>
          <List.Item>Open WhatsApp on the phone you’ll send from.</List.Item>
          <List.Item>Go to Settings → Linked devices → Link a device.</List.Item>
          <List.Item>Scan this code. It renews automatically.</List.Item>
        </Steps>
        <Text size="sm" c="dimmed">
          Keep this code private. Anyone who scans it can link a phone to this account.
        </Text>
        {byCode ? (
          <PhoneForm id={id} onDone={() => setByCode(false)} />
        ) : (
          <Group gap="xs">
            <Button variant="default" onClick={() => setByCode(true)}>
              Use a code instead
            </Button>
            <CancelButton id={id} />
          </Group>
        )}
      </Stack>
    </div>
  );
}

/** Has the same size with and without a code, and is white in both colour schemes. */
function Picture({ shown, aheadMs }: { readonly shown: Shown | null; readonly aheadMs: number }): ReactNode {
  return (
    <Stack gap="xs" className={classes.picture}>
      <div className={classes.square}>
        {shown === null ? (
          <Stack align="center" gap="xs">
            <Loader size="sm" color="dark" />
            <Text size="sm" c="dark.7">
              Waiting for WhatsApp’s code…
            </Text>
          </Stack>
        ) : (
          <QrCode
            text={shown.text}
            label="QR code that links a phone. If you cannot scan it, link with a code instead."
          />
        )}
      </div>
      <div className={classes.countdown}>
        {shown !== null && <Countdown endsAt={shown.endsAt} aheadMs={aheadMs} says={nextQr} />}
      </div>
    </Stack>
  );
}

function nextQr(seconds: number): string {
  return seconds === 0 ? 'Loading the next code…' : `Next code in ${seconds} s`;
}

/** The code to enter on the phone. */
export function ShownCode({
  id,
  shown,
  aheadMs,
}: {
  readonly id: string;
  readonly shown: Shown;
  readonly aheadMs: number;
}): ReactNode {
  const { begin, isBusy } = useLinking(id);
  return (
    <Stack gap="md">
      <Steps>
        <List.Item>Open WhatsApp on the phone with that number.</List.Item>
        <List.Item>
          Go to Settings → Linked devices → Link a device → Link with phone number instead.
        </List.Item>
        <List.Item>Enter this code:</List.Item>
      </Steps>
      <Group gap="sm">
        <Text className={classes.code} aria-label={shown.text.split('').join(' ')} role="img">
          {grouped(shown.text)}
        </Text>
        <CopyButton text={shown.text} label="Copy the code" />
      </Group>
      <div className={classes.countdown}>
        <Countdown
          endsAt={shown.endsAt}
          aheadMs={aheadMs}
          says={(seconds) => (seconds === 0 ? 'This code has expired.' : `Expires in ${seconds} s`)}
        />
      </div>
      <Text size="sm" c="dimmed">
        Keep this code private. Anyone who enters it can link a phone to this account.
      </Text>
      <Group gap="xs">
        <Button variant="default" loading={isBusy} onClick={() => void begin()}>
          Use a QR code instead
        </Button>
        <CancelButton id={id} />
      </Group>
    </Stack>
  );
}

/** `ABCD1234` in WhatsApp's own notation. */
function grouped(code: string): string {
  return code.length === 8 ? `${code.slice(0, 4)}-${code.slice(4)}` : code;
}

function Steps({ children }: { readonly children: ReactNode }): ReactNode {
  return (
    <List type="ordered" spacing="xs" size="sm">
      {children}
    </List>
  );
}

function CancelButton({ id }: { readonly id: string }): ReactNode {
  const { end, isEnding } = useLinking(id);
  return (
    <Button variant="subtle" color="gray" loading={isEnding} onClick={end}>
      Cancel
    </Button>
  );
}

/** The device is being logged out. */
export function Unlinking(): ReactNode {
  return (
    <Group gap="sm" mih={36}>
      <Loader size="sm" />
      <Text>Unlinking the phone…</Text>
    </Group>
  );
}
