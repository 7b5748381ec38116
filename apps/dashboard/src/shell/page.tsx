import { Text, Title } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';
import { useNavigationType } from 'react-router';
import { useNow } from '../parts/time/time.tsx';
import { readersZone, ZoneContext, zoneInWords } from '../parts/time/zone.ts';
import classes from './shell.module.css';

/** A view: the way back, its title (also in the browser's tab), its actions and its content. All its times are in one zone. */
export function Page({
  title,
  back,
  about,
  actions,
  zone = readersZone,
  isFolded = false,
  children,
}: {
  readonly title: string;
  /** The way to the page that this one belongs to, a `BackLink`. */
  readonly back?: ReactNode;
  /** One line on the purpose of the view, if its title does not explain it. */
  readonly about?: ReactNode;
  /** Buttons beside the title. */
  readonly actions?: ReactNode;
  /** The zone of its times, an IANA name. Null if it shows none. */
  readonly zone?: string | null;
  /** On a narrow screen the title is for screen readers only, because one part of the view has its own title. */
  readonly isFolded?: boolean;
  readonly children: ReactNode;
}): ReactNode {
  const heading = useFocusOnArrival();
  return (
    <ZoneContext value={zone ?? readersZone}>
      <title>{`${title} · Notify`}</title>
      <header className={classes.pageHeader} {...(isFolded ? { 'data-folded': true } : {})}>
        <div>
          {back}
          <Title order={1} ref={heading} tabIndex={-1}>
            {title}
          </Title>
          {about !== undefined && (
            <Text c="dimmed" size="sm" mt={4}>
              {about}
            </Text>
          )}
        </div>
        {actions !== undefined && <div className={classes.actions}>{actions}</div>}
      </header>
      {children}
      {zone !== null && <ZoneNote zone={zone} />}
    </ZoneContext>
  );
}

function ZoneNote({ zone }: { readonly zone: string }): ReactNode {
  const now = useNow();
  return (
    <Text size="xs" c="dimmed" mt="lg">
      Times are in {zoneInWords(zone, now)}.
    </Text>
  );
}

/** After a link is followed, screen readers read the new page's heading, as a browser does for a new page. */
function useFocusOnArrival() {
  const heading = useRef<HTMLHeadingElement>(null);
  const cameByLink = useNavigationType() === 'PUSH';
  useEffect(() => {
    if (cameByLink) heading.current?.focus({ preventScroll: true });
    // Once, when the view is opened: a change of its filters is a navigation too.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, []);
  return heading;
}
