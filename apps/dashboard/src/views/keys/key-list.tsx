import { Button, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { ApiKey } from '../../api/schema.ts';
import { amount } from '../../parts/time-text.ts';
import { Time } from '../../parts/time.tsx';
import classes from './keys.module.css';

/** The keys, newest first, without their secrets. */
export function KeyList({
  keys,
  onRevoke,
}: {
  readonly keys: readonly ApiKey[];
  readonly onRevoke: (key: ApiKey) => void;
}): ReactNode {
  const newestFirst = keys.toSorted((one, other) => other.createdAt.localeCompare(one.createdAt));
  return (
    <ul className={classes.list} aria-label="API keys">
      {newestFirst.map((key) => (
        <KeyItem key={key.id} apiKey={key} onRevoke={() => onRevoke(key)} />
      ))}
    </ul>
  );
}

function KeyItem({
  apiKey,
  onRevoke,
}: {
  readonly apiKey: ApiKey;
  readonly onRevoke: () => void;
}): ReactNode {
  const { name, keyPrefix, hint, createdAt, lastUsedAt, rateLimitOverride } = apiKey;
  return (
    <li className={classes.item}>
      <div className={classes.name}>
        <Text fw={600}>{name}</Text>
        <Text size="sm" c="dimmed" ff="monospace">
          {keyPrefix}…{hint}
        </Text>
      </div>
      <dl className={classes.facts}>
        <Fact term="Created">
          <Time at={createdAt} since />
        </Fact>
        <Fact term="Last used">
          <Time at={lastUsedAt} since never="Never" />
        </Fact>
        <Fact term="Limit">{limitInWords(rateLimitOverride)}</Fact>
      </dl>
      <Button variant="default" size="xs" onClick={onRevoke} aria-label={`Revoke ${name}`}>
        Revoke
      </Button>
    </li>
  );
}

function Fact({ term, children }: { readonly term: string; readonly children: ReactNode }): ReactNode {
  return (
    <div>
      <dt>{term}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function limitInWords(limit: number | null): string {
  return limit === null ? 'Default' : `${amount(limit)} per minute`;
}
