import '@mantine/core/styles.css';
import '@mantine/notifications/styles.css';
import './global.css';
import { setNonce } from 'get-nonce';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { createRouter } from './routes.tsx';
import { createSession } from './session/session.ts';
import { styleNonce } from './style-nonce.ts';

// The scroll lock of dialogs adds its own style sheet.
setNonce(styleNonce());

const session = createSession();
void session.start();
createRoot(document.querySelector('#app')!).render(
  <StrictMode>
    <App session={session} router={createRouter(session)} />
  </StrictMode>,
);
