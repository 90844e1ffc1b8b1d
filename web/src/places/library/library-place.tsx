import { type ReactElement, useEffect } from 'react';
import { Link, useSearchParams } from 'wouter';
import { JobGrid } from './job-grid.tsx';
import styles from './library-place.module.css';
import { LookGrid } from './look-grid.tsx';
import { VideoGrid } from './video-grid.tsx';

const TABS = [
  { of: null, text: 'Results', grid: <JobGrid /> },
  { of: 'videos', text: 'Videos', grid: <VideoGrid /> },
  { of: 'looks', text: 'Looks', grid: <LookGrid /> },
] as const;

/** Jobs, videos and saved looks as a grid. */
export function LibraryPlace(): ReactElement {
  const [search] = useSearchParams();
  const tab = TABS.find(({ of }) => of === search.get('of')) ?? TABS[0];
  useEffect(() => {
    document.title = 'Library · StyleDNA';
  }, []);
  return (
    <>
      <div className={styles.head}>
        <h1>Library</h1>
        <nav className={styles.tabs} aria-label="What to show">
          {TABS.map(({ of, text }) => (
            <Link
              key={text}
              href={of === null ? '/library' : `/library?of=${of}`}
              aria-current={of === tab.of ? 'page' : undefined}
            >
              {text}
            </Link>
          ))}
        </nav>
      </div>
      {tab.grid}
    </>
  );
}
