import type { DeliveryDetails } from '@notify/sdk';
import type { ReactNode } from 'react';
import { CodeLine } from '../../../parts/copy/code-line.tsx';
import classes from './deliveries.module.css';

/** The body that is posted, and where to. */
export function PostedBody({ request: { method, url, body } }: Pick<DeliveryDetails, 'request'>): ReactNode {
  return (
    <details className={classes.posted}>
      <summary>Request body</summary>
      <p className={classes.target}>
        {method} {url}
      </p>
      {body === null ? (
        <p className={classes.target}>The event has been deleted.</p>
      ) : (
        <CodeLine code={body} what="Request body" label="Copy the request body" />
      )}
    </details>
  );
}

/** The headers of an attempt. */
export function PostedHeaders({
  headers,
}: {
  readonly headers: DeliveryDetails['attempts'][number]['headers'];
}): ReactNode {
  const isSigned = headers.some(({ name }) => name === 'webhook-signature');
  return (
    <details className={classes.posted}>
      <summary>Request headers</summary>
      <CodeLine
        code={headers.map(({ name, value }) => `${name}: ${value}`).join('\n')}
        what="Request headers"
        label="Copy the request headers"
      />
      {!isSigned && (
        <p className={classes.target}>
          The secret that signed this attempt is no longer stored, so its signatures are not shown.
        </p>
      )}
    </details>
  );
}
