import { Anchor, Group, Stack, Text } from '@mantine/core';
import type { MessageDetails } from '@notify/sdk';
import type { ReactNode } from 'react';
import { CopyButton } from '../../../parts/copy/copy-button.tsx';
import { LocationIcon, PersonIcon } from '../../../parts/icons.tsx';
import classes from './body-parts.module.css';
import { FileIcon } from './file-icon.tsx';
import { cardName, fileName, kindOf, placeName } from './message-text.ts';

type Body = MessageDetails['body'];

/** A file that we sent: its name or address, whether it was uploaded, and its caption. Nothing is loaded from other hosts. */
export function FileOfUrl({ file }: { readonly file: Extract<Body, { url: string | null }> }): ReactNode {
  const { type, url, caption, filename } = file;
  return (
    <>
      <div className={classes.box}>
        <FileIcon type={type} />
        <div className={classes.what}>
          <Text size="sm" fw={550}>
            {filename ?? kindOf({ type })}
          </Text>
          <Text size="xs" c="dimmed" {...(url === null ? {} : { title: url })}>
            {url === null ? 'Uploaded' : fileName(url)}
          </Text>
        </div>
      </div>
      {caption !== null && <p className={classes.caption}>{caption}</p>}
    </>
  );
}

/** A place, with a link to a map. */
export function Place({ place }: { readonly place: Extract<Body, { latitude: number }> }): ReactNode {
  const { latitude, longitude, name, address } = place;
  const search = new URLSearchParams({ mlat: String(latitude), mlon: String(longitude) });
  const href = `https://www.openstreetmap.org/?${search}#map=16/${latitude}/${longitude}`;
  return (
    <div className={classes.box}>
      <LocationIcon size={22} />
      <div className={classes.what}>
        <Text size="sm" fw={550}>
          {placeName(place)}
        </Text>
        {name !== null && address !== null && (
          <Text size="xs" c="dimmed">
            {address}
          </Text>
        )}
        <Anchor href={href} target="_blank" rel="noreferrer" size="xs" underline="always">
          View on a map
        </Anchor>
      </div>
    </div>
  );
}

/** The cards of people. */
export function ContactCards({
  contacts,
}: {
  readonly contacts: Extract<Body, { contacts: unknown }>['contacts'];
}): ReactNode {
  return (
    <Stack gap={6}>
      {contacts.map((card, index) => (
        // Cards are told apart by their place only.
        <div key={index} className={classes.box}>
          <PersonIcon size={22} />
          <div className={classes.what}>
            <Text size="sm" fw={550}>
              {cardName(card)}
            </Text>
            {card.phones.map((phone) => (
              <Group key={phone} gap={4} wrap="nowrap">
                <Text size="xs">{phone}</Text>
                <CopyButton text={phone} label={`Copy ${phone}`} />
              </Group>
            ))}
          </div>
        </div>
      ))}
    </Stack>
  );
}
