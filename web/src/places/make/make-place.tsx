import { lazy, type ReactElement, Suspense, useEffect, useState } from 'react';
import { useSearchParams } from 'wouter';
import type { Job } from '../../../../src/client/api-types.ts';
import { Button } from '../../parts/button.tsx';
import { Notice } from '../../parts/notice.tsx';
import { madeOfJob } from '../../state/again.ts';
import { isEdit } from '../../state/edit-parts.ts';
import { type Make, replaceMake, singleSource, useMake } from '../../state/make.ts';
import { beginNewEdit } from '../../state/new-edit.ts';
import { videoData } from '../../state/server-data.ts';
import { queries, service } from '../../state/service.ts';
import { useAddress } from '../../state/use-address.ts';
import { editName } from '../../words/edit-name.ts';
import { type ErrorText, errorTextOf } from '../../words/error-text.ts';
import { TryExample } from './example.tsx';
import { LookCard } from './look-card.tsx';
import { LookWell } from './look-well.tsx';
import { Looks } from './looks.tsx';
import styles from './make-place.module.css';
import { PreviewPanel } from './preview-panel.tsx';
import { SettingsPanel } from './settings-panel.tsx';
import { SourceWell } from './source-well.tsx';
import { useFiles } from './use-files.ts';

const Storyboard = lazy(() =>
  import('../../storyboard/storyboard.tsx').then((it) => ({ default: it.Storyboard })),
);

/** The first place: a video, a look, and their preview. */
export function MakePlace(): ReactElement {
  const make = useMake();
  const files = useFiles(make);
  const errorText = useAgainWithChanges();
  useTitle();
  useAddress(make);
  const isMany = isEdit(make);
  const isBegun = make.takes.length > 0 || isMany || make.look !== null;
  return (
    <>
      <div className={styles.intro}>
        <h1>{isMany ? editName(make.titles, make.takes.length) : 'Your video, in the style of another'}</h1>
        {isBegun && (
          <Button icon="add" manner="quiet" onClick={beginNewEdit}>
            New edit
          </Button>
        )}
        {!isBegun && (
          <p>Color, rhythm, transitions, camera and sound of what you like, on what you filmed.</p>
        )}
      </div>
      {errorText !== null && <Notice errorText={errorText} />}
      <div className={styles.wells}>
        <SourceWell make={make} files={files} />
        <LookWell look={make.look} isOptional={make.song !== null} files={files}>
          {/* Of a preset it is below them: they are not to move when one is chosen. */}
          {make.look?.kind !== 'preset' && <LookCard make={make} />}
        </LookWell>
      </div>
      {!isBegun && <TryExample files={files} />}
      <Looks look={make.look} isLarge={!isBegun} />
      {make.look?.kind === 'preset' && (
        <div className={styles.ofPreset}>
          <LookCard make={make} />
        </div>
      )}
      {isBegun && (
        <div className={styles.work}>
          {isMany ? (
            <Suspense fallback={<div />}>
              <Storyboard make={make} />
            </Suspense>
          ) : (
            <PreviewPanel source={singleSource(make)} make={make} />
          )}
          <div className={styles.panel}>
            <SettingsPanel make={make} />
          </div>
        </div>
      )}
    </>
  );
}

function useTitle(): void {
  useEffect(() => {
    document.title = 'StyleDNA';
  }, []);
}

/** `?from=JOB` restores a job's inputs and settings. The parameter is then removed, so that a reload keeps later changes. */
function useAgainWithChanges(): ErrorText | null {
  const [search, setSearch] = useSearchParams();
  const [errorText, setErrorText] = useState<ErrorText | null>(null);
  const jobId = search.get('from');
  useEffect(() => {
    if (jobId === null) return;
    const given = new AbortController();
    const become = (parts: Partial<Make>) => {
      setSearch({}, { replace: true });
      replaceMake(parts);
    };
    const lengthOf = async ({ video_id: videoId }: Job) =>
      (await queries.fetchQuery(videoData(videoId))).duration_seconds;
    const made = async () => {
      const job = await service.getJob(jobId, { signal: given.signal });
      // A job outlives its video.
      const isPart = job.config?.['source_range'] != null;
      return madeOfJob(job, isPart ? await lengthOf(job).catch(() => null) : null);
    };
    made().then(
      (parts) => {
        if (!given.signal.aborted) become(parts);
      },
      (error) => {
        if (given.signal.aborted) return;
        setErrorText(errorTextOf(error));
        setSearch({}, { replace: true });
      },
    );
    return () => given.abort();
  }, [jobId, setSearch]);
  return errorText;
}
