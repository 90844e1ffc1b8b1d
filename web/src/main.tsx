import './main.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Router } from 'wouter';
import { App } from './app.tsx';
import { queries, ROOT_PATH } from './state/service.ts';
import { applyKeptTheme } from './state/theme.ts';

applyKeptTheme();
createRoot(document.getElementById('page')!).render(
  <StrictMode>
    <QueryClientProvider client={queries}>
      <Router base={ROOT_PATH}>
        <App />
      </Router>
    </QueryClientProvider>
  </StrictMode>,
);
