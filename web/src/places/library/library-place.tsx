import { type ReactElement, useEffect } from 'react';
import { Link, useSearchParams } from 'wouter';
import { JobGrid } from './job-grid.tsx';
import styles from './library-place.module.css';
import { VideoGrid } from './video-grid.tsx';

/** Jobs and videos as a grid. */
export function LibraryPlace(): ReactElement {
  const [search] = useSearchParams();
  const isOfVideos = search.get('of') === 'videos';
  useEffect(() => {
    document.title = 'Library · StyleDNA';
  }, []);
  return (
    <>
      <div className={styles.head}>
        <h1>Library</h1>
        <nav className={styles.tabs} aria-label="What to show">
          <Link href="/library" aria-current={isOfVideos ? undefined : 'page'}>
            Results
          </Link>
          <Link href="/library?of=videos" aria-current={isOfVideos ? 'page' : undefined}>
            Videos
          </Link>
        </nav>
      </div>
      {isOfVideos ? <VideoGrid /> : <JobGrid />}
    </>
  );
}
