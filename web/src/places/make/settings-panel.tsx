import { useQuery } from '@tanstack/react-query';
import { lazy, type ReactElement, Suspense, useState } from 'react';
import { Choice } from '../../parts/choice.tsx';
import { Fold } from '../../parts/fold.tsx';
import { Slider } from '../../parts/slider.tsx';
import { Switch } from '../../parts/switch.tsx';
import { isEdit, videoIdOf } from '../../state/edit-parts.ts';
import { changeSettings, type Make, singleSource } from '../../state/make.ts';
import { featuresData, savedLookData, videoData } from '../../state/server-data.ts';
import { type Automatic, GRADUAL_COMPONENTS, type Settings } from '../../state/settings.ts';
import { QUALITY_NAMES } from '../../words/quality.ts';
import { CaptionFile } from './caption-file.tsx';
import { RenderButton } from './render-button.tsx';
import styles from './settings-panel.module.css';

const EditOptions = lazy(() =>
  import('../../storyboard/edit-options.tsx').then((it) => ({ default: it.EditOptions })),
);

const FOLLOW_WORDS: Readonly<Record<(typeof GRADUAL_COMPONENTS)[number], string>> = {
  color: 'Color',
  pacing: 'Rhythm',
  transitions: 'Transitions',
  motion: 'Camera',
  audio: 'Sound',
  talk: 'Pauses of speech',
};

const QUALITIES = (['low', 'medium', 'high', 'ultra'] as const).map((value) => ({
  value,
  text: QUALITY_NAMES[value],
}));
const QUALITY_HINTS: Readonly<Record<Settings['quality'], string>> = {
  low: 'At most 480 lines, small and quick: to try things out',
  medium: 'At most 1080 lines: for the web and phones',
  high: 'The full size of your video, finer and slower: for big screens',
  ultra: 'The full size of your video, as fine as it gets; takes longest: to work on further',
};

const SIZES = [
  { value: 'auto', text: 'Auto' },
  { value: '720p', text: '720' },
  { value: '1080p', text: '1080' },
  { value: '2160p', text: '4K' },
] as const satisfies readonly { readonly value: Settings['resolution']; readonly text: string }[];
const SIZE_HINTS: Readonly<Record<Settings['resolution'], string>> = {
  auto: 'What suits your video and the look, at most 1080 lines',
  source: 'As your video, never larger',
  '720p': '720 lines on the shorter side',
  '1080p': '1080 lines on the shorter side',
  '1440p': '1440 lines on the shorter side',
  '2160p': '2160 lines on the shorter side; needs the quality High or Best',
};

const FRAMINGS = [
  { value: 'auto', text: 'Auto' },
  { value: 'crop', text: 'Fill' },
  { value: 'pad', text: 'Fit' },
] as const;
const FRAMING_HINTS: Readonly<Record<Settings['framing'], string>> = {
  auto: 'Fills the shape of the look, and fits where too much would be lost',
  crop: 'Fills the shape; what does not fit is cut off, around people and movement',
  pad: 'Shows all of your video, with room at the sides',
};

const AUTOMATIC = [
  { value: 'auto', text: 'Where it fits' },
  { value: 'on', text: 'Always' },
  { value: 'off', text: 'Keep mine' },
] as const;
type AutomaticWord = (typeof AUTOMATIC)[number]['value'];
const SHAPE_HINTS: Readonly<Record<AutomaticWord, string>> = {
  auto: 'Takes the shape of the look where people and texts that were found stay in the picture',
  on: 'Takes the shape of the look, cut or fitted into it',
  off: 'Keeps the shape of your video',
};
const RATE_HINTS: Readonly<Record<AutomaticWord, string>> = {
  auto: 'Takes the rate of the look where movement stays smooth',
  on: 'Takes the rate of the look; movement may judder',
  off: 'Keeps the rate of your video',
};

const PACINGS = [
  { value: 'punch_in', text: 'Closer views' },
  { value: 'trim', text: 'Cut out' },
  { value: 'keep', text: 'Keep' },
] as const;
const PACING_HINTS: Readonly<Record<Settings['pacing'], string>> = {
  punch_in: 'Cuts between the whole and closer views of a face; nothing is left out',
  trim: 'Removes the least interesting parts; the video gets shorter',
  keep: 'Adds no cuts of its own',
};

const TALKS = [
  { value: 'auto', text: 'Where it is clear' },
  { value: 'on', text: 'Always' },
] as const;
const TALK_HINTS: Readonly<Record<'one' | 'many', Readonly<Record<Settings['talk'], string>>>> = {
  one: {
    auto: 'Shortens pauses where somebody clearly speaks, as the look does',
    on: 'Shortens pauses as the look does, and leaves out first attempts',
  },
  many: {
    auto: 'Cuts a reel; a talk where a take is marked as speaking',
    on: 'Takes that speak follow each other in order; other takes are shown over the cuts',
  },
};

/** The settings; those that most people need are first. */
export function SettingsPanel({ make }: { readonly make: Make }): ReactElement {
  const { settings } = make;
  const isStill = useIsStill(make.look);
  const isMany = isEdit(make);
  return (
    <form className={styles.panel} aria-label="Settings" onSubmit={(event) => event.preventDefault()}>
      {isMany && (
        <Suspense fallback={<div />}>
          <EditOptions make={make} />
        </Suspense>
      )}
      <Slider
        label="Strength"
        isLarge
        value={settings.strength}
        onChange={(strength) => changeSettings({ strength })}
      />
      <fieldset className={styles.follow}>
        <legend>Follow</legend>
        {GRADUAL_COMPONENTS.map((name) => (
          <FollowRow key={name} name={name} settings={settings} />
        ))}
      </fieldset>
      <AutomaticChoice
        label="Shape of the look"
        value={settings.shape}
        isStill={isStill}
        hints={SHAPE_HINTS}
        onChange={(shape) => changeSettings({ shape })}
      />
      <Choice
        label="Quality"
        options={QUALITIES}
        value={settings.quality}
        hint={QUALITY_HINTS[settings.quality]}
        onChange={(quality) => changeSettings({ quality })}
      />
      <Choice
        label="Size"
        options={SIZES}
        value={settings.resolution}
        hint={SIZE_HINTS[settings.resolution]}
        onChange={(resolution: Settings['resolution']) => changeSettings({ resolution })}
      />
      {!isMany && <Captions settings={settings} videoId={videoIdOf(singleSource(make))} />}
      <Fold label="More">
        <More settings={settings} isStill={isStill} isMany={isMany} />
      </Fold>
      <RenderButton make={make} />
    </form>
  );
}

function useIsStill(look: Make['look']): boolean {
  const lookId = look?.kind === 'video' ? look.videoId : null;
  const { data } = useQuery({ ...videoData(lookId ?? ''), enabled: lookId !== null });
  const styleId = look?.kind === 'saved' ? look.styleId : null;
  const { data: saved } = useQuery({ ...savedLookData(styleId ?? ''), enabled: styleId !== null });
  const style = look?.kind === 'style' ? look.style : saved?.style_json;
  return style === undefined ? data?.kind === 'image' : style.source_kind === 'image';
}

/** For a still, `auto` is shown as off: it changes neither shape nor rate. */
function AutomaticChoice({
  label,
  value,
  isStill,
  hints,
  onChange,
}: {
  readonly label: string;
  readonly value: Automatic;
  readonly isStill: boolean;
  readonly hints: Readonly<Record<AutomaticWord, string>>;
  readonly onChange: (value: Automatic) => void;
}): ReactElement {
  const word = value === 'auto' ? (isStill ? 'off' : 'auto') : value ? 'on' : 'off';
  return (
    <Choice
      label={label}
      options={AUTOMATIC}
      value={word}
      hint={
        isStill && value === 'auto' ? 'A picture changes neither the shape nor the frame rate' : hints[word]
      }
      onChange={(next) => onChange(next === 'auto' ? 'auto' : next === 'on')}
    />
  );
}

/** Captions of one video: in the look's manner, from its speech, or from a file, which is always shown. */
function Captions({
  settings,
  videoId,
}: {
  readonly settings: Settings;
  readonly videoId: string | null;
}): ReactElement {
  const { data: features } = useQuery(featuresData());
  const canTranscribe = features?.transcription === true;
  return (
    <fieldset className={styles.follow}>
      <legend>Captions</legend>
      <div className={styles.row}>
        <Switch
          label="Captions as in the look"
          isOn={settings.captions}
          onChange={(captions) => changeSettings({ captions })}
        />
      </div>
      {(canTranscribe || settings.speech) && (
        <div className={styles.row}>
          <Switch
            label="Captions from speech"
            isOn={settings.speech}
            onChange={(speech) => changeSettings({ speech })}
          />
        </div>
      )}
      {videoId !== null && (
        // Opened on request: whether a video has a file is not known without asking for it.
        <Fold label="Captions from a file">
          <CaptionFile key={videoId} videoId={videoId} settings={settings} />
        </Fold>
      )}
    </fieldset>
  );
}

function More({
  settings,
  isStill,
  isMany,
}: {
  readonly settings: Settings;
  readonly isStill: boolean;
  readonly isMany: boolean;
}): ReactElement {
  return (
    <div className={styles.more}>
      <Choice
        label="Framing"
        options={FRAMINGS}
        value={settings.framing}
        hint={FRAMING_HINTS[settings.framing]}
        onChange={(framing) => changeSettings({ framing })}
      />
      {!isMany && (
        <Choice
          label="Faster rhythm by"
          options={PACINGS}
          value={settings.pacing}
          hint={PACING_HINTS[settings.pacing]}
          onChange={(pacing) => changeSettings({ pacing })}
        />
      )}
      {settings.follow.talk.isOn && (
        <Choice
          label="A talk"
          options={TALKS}
          value={settings.talk}
          hint={TALK_HINTS[isMany ? 'many' : 'one'][settings.talk]}
          onChange={(talk) => changeSettings({ talk })}
        />
      )}
      <div>
        <AutomaticChoice
          label="Frame rate of the look"
          value={settings.frameRate}
          isStill={isStill}
          hints={RATE_HINTS}
          onChange={(frameRate) => changeSettings({ frameRate })}
        />
      </div>
    </div>
  );
}

/** A switch that reveals a strength of its own. */
function FollowRow({
  name,
  settings,
}: {
  readonly name: (typeof GRADUAL_COMPONENTS)[number];
  readonly settings: Settings;
}): ReactElement {
  const { isOn, strength } = settings.follow[name];
  const [isOpen, open] = useState(strength !== null);
  const change = (changes: Partial<Settings['follow'][typeof name]>) =>
    changeSettings({ follow: { ...settings.follow, [name]: { isOn, strength, ...changes } } });
  const words = FOLLOW_WORDS[name];
  const shown = strength ?? settings.strength;
  return (
    <div className={styles.row}>
      <Switch label={words} isOn={isOn} onChange={(next) => change({ isOn: next })} />
      {isOn && (
        <button
          type="button"
          className={styles.own}
          aria-expanded={isOpen}
          onClick={() => {
            // Closed again, it follows the whole as before.
            if (isOpen) change({ strength: null });
            open(!isOpen);
          }}
        >
          <span className="unseen">Strength of {words.toLowerCase()}: </span>
          {strength === null ? 'as above' : `${Math.round(strength * 100)} %`}
        </button>
      )}
      {isOn && isOpen && (
        <div className={styles.strength}>
          <Slider
            label={`${words}: strength`}
            value={shown}
            onChange={(value) => change({ strength: value })}
          />
        </div>
      )}
    </div>
  );
}
