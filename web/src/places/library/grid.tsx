import { type ReactElement, type ReactNode, useEffect } from 'react';
import { Button } from '../../parts/button.tsx';
import { Notice } from '../../parts/notice.tsx';
import { useVisible } from '../../state/use-visible.ts';
import { errorTextOf } from '../../words/error-text.ts';
import styles from './library-place.module.css';

/** The next page is requested when the end is this near. */
const AHEAD = '1200px';

/** Cards, page after page as they are scrolled to. */
export function Grid({
  query,
  isEmpty,
  empty,
  children,
}: {
  readonly query: {
    readonly isPending: boolean;
    readonly error: Error | null;
    readonly hasNextPage: boolean;
    readonly isFetchingNextPage: boolean;
    /** The last request was a further page, and it failed. */
    readonly isFetchNextPageError: boolean;
    readonly fetchNextPage: () => unknown;
    readonly refetch: () => unknown;
  };
  readonly isEmpty: boolean;
  readonly empty: ReactElement;
  readonly children: ReactNode;
}): ReactElement {
  const { isPending, error, hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = query;
  const [end, isEndVisible] = useVisible(AHEAD);
  const mayAsk = isEndVisible && hasNextPage && !isFetchingNextPage && error === null;
  useEffect(() => {
    if (mayAsk) fetchNextPage();
  }, [mayAsk, fetchNextPage]);
  if (isPending) return <div className={styles.waiting} />;
  const notice = error !== null && (
    <Notice errorText={errorTextOf(error)}>
      <Button icon="retry" onClick={() => (isFetchNextPageError ? fetchNextPage() : query.refetch())}>
        Try again
      </Button>
    </Notice>
  );
  return (
    <>
      {!isFetchNextPageError && notice}
      {isEmpty && !hasNextPage && error === null ? (
        empty
      ) : (
        <div className={styles.place}>
          <ul className={styles.grid}>{children}</ul>
        </div>
      )}
      {/* Where one looks who has scrolled to it. */}
      {isFetchNextPageError && notice}
      <div ref={end} className={styles.end} />
    </>
  );
}
