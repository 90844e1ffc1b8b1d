import { type ReactElement, useEffect, useState } from 'react';
import { useSearchParams } from 'wouter';
import type { Job } from '../../../../src/client/api-types.ts';
import { Notice } from '../../parts/notice.tsx';
import { changeMake, type Look, type PresetId, useMake } from '../../state/make.ts';
import { service } from '../../state/service.ts';
import { settingsOf } from '../../state/settings.ts';
import { type Trouble, troubleOf } from '../../words/trouble.ts';
import { LookCard } from './look-card.tsx';
import { LookWell } from './look-well.tsx';
import { Looks } from './looks.tsx';
import styles from './make-place.module.css';
import { PreviewPanel } from './preview-panel.tsx';
import { SettingsPanel } from './settings-panel.tsx';
import { SourceWell } from './source-well.tsx';
import { useFiles } from './use-files.ts';

/** The first place: a video, a look, and what comes of them. */
export function MakePlace(): ReactElement {
  const make = useMake();
  const files = useFiles(make);
  const trouble = useAgainWithChanges();
  useTitle();
  const isBegun = make.source !== null || make.look !== null;
  return (
    <>
      <div className={styles.intro}>
        <h1>Your video, in the style of another</h1>
        {!isBegun && (
          <p>Colour, rhythm, transitions, camera and sound of what you like, on what you filmed.</p>
        )}
      </div>
      {trouble !== null && <Notice trouble={trouble} />}
      <div className={styles.wells}>
        <SourceWell source={make.source} files={files} />
        <LookWell look={make.look} files={files}>
          {/* Of a preset it is below them: they are not to move when one is chosen. */}
          {make.look?.kind !== 'preset' && <LookCard look={make.look} />}
        </LookWell>
      </div>
      <Looks look={make.look} isLarge={!isBegun} />
      {make.look?.kind === 'preset' && (
        <div className={styles.ofPreset}>
          <LookCard look={make.look} />
        </div>
      )}
      {isBegun && (
        <div className={styles.work}>
          <PreviewPanel make={make} />
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

/** `?from=JOB` brings back what a job was made of. The address is then as before, so that a reload keeps later changes. */
function useAgainWithChanges(): Trouble | null {
  const [search, setSearch] = useSearchParams();
  const [trouble, setTrouble] = useState<Trouble | null>(null);
  const jobId = search.get('from');
  useEffect(() => {
    if (jobId === null) return;
    const given = new AbortController();
    bringBack(jobId, given.signal)
      .catch((error) => {
        if (!given.signal.aborted) setTrouble(troubleOf(error));
      })
      .finally(() => {
        if (!given.signal.aborted) setSearch({}, { replace: true });
      });
    return () => given.abort();
  }, [jobId, setSearch]);
  return trouble;
}

async function bringBack(jobId: string, signal: AbortSignal): Promise<void> {
  const job = await service.getJob(jobId, { signal });
  changeMake({
    source: { kind: 'video', videoId: job.video_id },
    look: lookOf(job),
    settings: settingsOf(job.config ?? {}),
  });
}

/** Of a job that was given a Style DNA its file is not kept: the person adds it again. */
function lookOf({ template_video_id: videoId, preset }: Job): Look | null {
  if (videoId !== null) return { kind: 'video', videoId };
  return preset == null ? null : { kind: 'preset', presetId: preset as PresetId };
}
