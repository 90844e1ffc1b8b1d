import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import type { Analysis, StyleJSON } from '../../../../src/client/api-types.ts';
import { adjustedStyle } from '../../../../src/style/model/adjusted-style.ts';
import type { Style } from '../../../../src/style/model/schema.ts';
import { styleSentence } from '../../../../src/style/model/style-sentence.ts';
import { Notice } from '../../parts/notice.tsx';
import { Palette } from '../../parts/palette.tsx';
import { Progress } from '../../parts/progress.tsx';
import type { Range } from '../../state/edit-parts.ts';
import type { Look, Make } from '../../state/make.ts';
import { analysisData, isUnderWay, presetsData, savedLookData, videoData } from '../../state/server-data.ts';
import { addressOf } from '../../state/service.ts';
import { errorTextOf, errorTextOfJob } from '../../words/error-text.ts';
import { styleFacts } from '../../words/style-facts.ts';
import styles from './look-card.module.css';
import { LookDials } from './look-dials.tsx';

/** The look's measurements, as soon as they exist, with the dials that change it. */
export function LookCard({ make }: { readonly make: Make }): ReactElement | null {
  const { look } = make;
  const { data: presets } = useQuery(presetsData());
  switch (look?.kind) {
    case 'video':
      return <MeasuredCard make={make} look={look} />;
    case 'saved':
      return <SavedCard make={make} look={look} />;
    case 'style':
      return <StyleCard make={make} look={look} style={look.style} name={look.name} />;
    case 'preset': {
      const preset = presets?.presets.find((one) => one.preset_id === look.presetId);
      return preset === undefined ? null : (
        <StyleCard make={make} look={look} style={preset.style_json} name={preset.name} />
      );
    }
    default:
      return null;
  }
}

interface LookOf<Kind extends Look['kind']> {
  readonly make: Make;
  readonly look: Extract<Look, { kind: Kind }>;
}

function SavedCard({ make, look }: LookOf<'saved'>): ReactElement | null {
  const { data } = useQuery(savedLookData(look.styleId));
  return data === undefined ? null : (
    <StyleCard make={make} look={look} style={data.style_json} name={data.name} />
  );
}

function MeasuredCard({ make, look }: LookOf<'video'>): ReactElement | null {
  const { videoId, range: part = null } = look;
  const { data: video } = useQuery(videoData(videoId));
  const { data: analysis, error } = useQuery(analysisData(videoId, part));
  if (error !== null) return <Notice errorText={errorTextOf(error)} />;
  if (analysis === undefined) return <div className={styles.card} />;
  if (isUnderWay(analysis.status) && analysis.style_json === null) return <Measuring analysis={analysis} />;
  if (analysis.error !== null) return <Notice errorText={errorTextOfJob(analysis.error)} />;
  if (analysis.style_json === null) return null;
  return (
    <StyleCard make={make} look={look} style={analysis.style_json} name={video?.filename ?? 'A look'}>
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
  make,
  look,
  style: measured,
  name,
  children,
}: {
  readonly make: Make;
  readonly look: Look;
  readonly style: StyleJSON;
  /** Of the look. */
  readonly name: string;
  readonly children?: React.ReactNode;
}): ReactElement {
  const style = adjustedStyle(measured as Style, make.settings.adjust);
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
      <LookDials make={make} look={look} style={measured} name={name} />
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
