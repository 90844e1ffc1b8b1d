import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import type { Analysis, StyleJSON } from '../../../../src/client/api-types.ts';
import { styleSentence } from '../../../../src/style/model/style-sentence.ts';
import { Notice } from '../../parts/notice.tsx';
import { Palette } from '../../parts/palette.tsx';
import { Progress } from '../../parts/progress.tsx';
import type { Range } from '../../state/edit-parts.ts';
import type { Look } from '../../state/make.ts';
import { analysisData, isUnderWay, presetsData, savedLookData, videoData } from '../../state/server-data.ts';
import { addressOf } from '../../state/service.ts';
import { errorTextOf, errorTextOfJob } from '../../words/error-text.ts';
import { styleFacts } from '../../words/style-facts.ts';
import styles from './look-card.module.css';

/** The look's measurements, as soon as they exist. */
export function LookCard({ look }: { readonly look: Look | null }): ReactElement | null {
  const { data: presets } = useQuery(presetsData());
  switch (look?.kind) {
    case 'video':
      return <MeasuredCard videoId={look.videoId} part={look.range ?? null} />;
    case 'saved':
      return <SavedCard styleId={look.styleId} />;
    case 'style':
      return <StyleCard style={look.style} />;
    case 'preset': {
      const preset = presets?.presets.find((one) => one.preset_id === look.presetId);
      return preset === undefined ? null : <StyleCard style={preset.style_json} />;
    }
    default:
      return null;
  }
}

function SavedCard({ styleId }: { readonly styleId: string }): ReactElement | null {
  const { data } = useQuery(savedLookData(styleId));
  return data === undefined ? null : <StyleCard style={data.style_json} />;
}

function MeasuredCard({
  videoId,
  part,
}: {
  readonly videoId: string;
  readonly part: Range | null;
}): ReactElement | null {
  const { data: analysis, error } = useQuery(analysisData(videoId, part));
  if (error !== null) return <Notice errorText={errorTextOf(error)} />;
  if (analysis === undefined) return <div className={styles.card} />;
  if (isUnderWay(analysis.status) && analysis.style_json === null) return <Measuring analysis={analysis} />;
  if (analysis.error !== null) return <Notice errorText={errorTextOfJob(analysis.error)} />;
  if (analysis.style_json === null) return null;
  return (
    <StyleCard style={analysis.style_json}>
      <a
        href={addressOf(`api/v1/videos/${videoId}/analysis/report${partText(part)}`)}
        target="_blank"
        rel="noreferrer"
      >
        The whole report
      </a>
    </StyleCard>
  );
}

function Measuring({ analysis }: { readonly analysis: Analysis }): ReactElement {
  const { data: video } = useQuery(videoData(analysis.video_id));
  const isWaiting = analysis.status === 'queued';
  return (
    <div className={`${styles.card} ${styles.measuring}`}>
      <p role="status">
        {isWaiting ? 'Waiting to be measured' : `Measuring the style${video ? ` of ${video.filename}` : ''}`}
      </p>
      <Progress share={analysis.progress_percent / 100} label="Measuring the style" />
    </div>
  );
}

function StyleCard({
  style,
  children,
}: {
  readonly style: StyleJSON;
  readonly children?: React.ReactNode;
}): ReactElement {
  return (
    <section className={styles.card} aria-label="The style">
      <div className={styles.words}>
        <p className={styles.sentence}>{styleSentence({ ...style })}</p>
        <dl className={styles.facts}>
          {styleFacts(style).map(([name, value]) => (
            <Fact key={name} name={name} value={value} />
          ))}
        </dl>
      </div>
      <div className={styles.pictures}>
        {style.palette !== undefined && <Palette colors={style.palette} />}
        {children}
      </div>
    </section>
  );
}

function Fact({ name, value }: { readonly name: string; readonly value: string }): ReactElement {
  return (
    <>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </>
  );
}

function partText(part: Range | null): string {
  return part === null ? '' : `?start_seconds=${part[0]}&end_seconds=${part[1]}`;
}
