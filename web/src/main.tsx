import './main.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Router } from 'wouter';
import { App } from './app.tsx';
import { queries, ROOT_PATH } from './state/service.ts';
import { applyStoredTheme } from './state/theme.ts';

applyStoredTheme();
keepDropsIn();
createRoot(document.getElementById('page')!).render(
  <StrictMode>
    <QueryClientProvider client={queries}>
      <Router base={ROOT_PATH}>
        <App />
      </Router>
    </QueryClientProvider>
  </StrictMode>,
);

/** A file that is dropped beside a well would be opened by the browser in the place of this page. */
function keepDropsIn(): void {
  for (const name of ['dragover', 'drop'] as const)
    window.addEventListener(name, (event) => event.preventDefault());
}
