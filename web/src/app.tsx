import { lazy, type ReactElement, Suspense, useEffect, useRef } from 'react';
import { Link, Route, Switch, useLocation } from 'wouter';
import styles from './app.module.css';
import { Icon } from './parts/icons.tsx';
import { PlaceBoundary } from './parts/place-boundary.tsx';
import { ServiceState } from './parts/service-state.tsx';
import { UndoBar } from './parts/undo-bar.tsx';
import { MakePlace } from './places/make/make-place.tsx';
import { NoSuchPlace } from './places/no-such-place.tsx';
import { THEMES, type Theme, useTheme } from './state/theme.ts';

const JobPlace = lazy(() => import('./places/job/job-place.tsx').then((it) => ({ default: it.JobPlace })));
const LibraryPlace = lazy(() =>
  import('./places/library/library-place.tsx').then((it) => ({ default: it.LibraryPlace })),
);

const THEME_WORDS: Readonly<Record<Theme, string>> = {
  system: 'As the system',
  light: 'Light',
  dark: 'Dark',
  grading: 'Mid grey',
};

export function App(): ReactElement {
  const main = useRef<HTMLElement>(null);
  const [place] = useLocation();
  useFocusOnMove(main);
  return (
    <>
      <button type="button" className={styles.skip} onClick={() => main.current?.focus()}>
        Skip to the content
      </button>
      <Header />
      <ServiceState />
      <main id="main" ref={main} tabIndex={-1} className={styles.main}>
        <PlaceBoundary key={place}>
          <Suspense fallback={<div className={styles.waiting} />}>
            <Switch>
              <Route path="/" component={MakePlace} />
              <Route path="/jobs/:jobId">{({ jobId }) => <JobPlace key={jobId} jobId={jobId} />}</Route>
              <Route path="/library" component={LibraryPlace} />
              <Route component={NoSuchPlace} />
            </Switch>
          </Suspense>
        </PlaceBoundary>
      </main>
      <UndoBar />
    </>
  );
}

function Header(): ReactElement {
  const [theme, setTheme] = useTheme();
  return (
    <header className={styles.header}>
      <Link href="/" className={styles.name}>
        <svg aria-hidden="true" viewBox="0 0 32 32" width="24" height="24">
          <rect x="3" y="6" width="11.5" height="20" rx="2" fill="var(--ink)" />
          <rect x="17.5" y="6" width="11.5" height="20" rx="2" fill="var(--edge)" />
        </svg>
        StyleDNA
      </Link>
      <nav className={styles.nav} aria-label="Places">
        <Place href="/">Make</Place>
        <Place href="/library">Library</Place>
        <a href="docs">Reference</a>
      </nav>
      <div className={styles.end}>
        <label className={styles.theme}>
          <Icon name="theme" />
          <span className="unseen">Theme</span>
          <select value={theme} onChange={(event) => setTheme(event.target.value as Theme)}>
            {THEMES.map((name) => (
              <option key={name} value={name}>
                {THEME_WORDS[name]}
              </option>
            ))}
          </select>
        </label>
      </div>
    </header>
  );
}

function Place({ href, children }: { readonly href: string; readonly children: string }): ReactElement {
  const [location] = useLocation();
  return (
    <Link href={href} aria-current={location === href ? 'page' : undefined}>
      {children}
    </Link>
  );
}

/** A screen reader goes to the new place's beginning, as it does when a browser loads a page. Not at the first. */
function useFocusOnMove(main: React.RefObject<HTMLElement | null>): void {
  const [location] = useLocation();
  const known = useRef(location);
  useEffect(() => {
    if (known.current === location) return;
    known.current = location;
    main.current?.focus({ preventScroll: true });
    window.scrollTo(0, 0);
  }, [location, main]);
}
