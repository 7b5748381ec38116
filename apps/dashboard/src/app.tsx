import { MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import type { ReactNode } from 'react';
import { RouterProvider } from 'react-router/dom';
import type { createRouter } from './routes.tsx';
import type { Session } from './session/session.ts';
import { SessionContext } from './session/session-context.ts';
import { styleNonce } from './style-nonce.ts';
import { cssVariables, theme } from './theme.ts';

/** The whole dashboard. */
export function App({
  session,
  router,
}: {
  readonly session: Session;
  readonly router: ReturnType<typeof createRouter>;
}): ReactNode {
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      defaultColorScheme="auto"
      getStyleNonce={styleNonce}
    >
      <Notifications position="bottom-right" />
      <SessionContext value={session}>
        <RouterProvider router={router} />
      </SessionContext>
    </MantineProvider>
  );
}
