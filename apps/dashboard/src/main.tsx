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

// What locks scrolling behind a dialog adds a style sheet of its own.
setNonce(styleNonce());

const session = createSession();
void session.start();
createRoot(document.querySelector('#app')!).render(
  <StrictMode>
    <App session={session} router={createRouter(session)} />
  </StrictMode>,
);
