import { type ReactElement, useEffect, useId, useState } from 'react';
import type { CaptionLook, Timeline } from '../../../src/style/model/timeline.ts';
import { Button, IconButton } from '../parts/button.tsx';
import { useEditPlan } from '../state/edit-data.ts';
import type { Title, TitleAnimation, TitleStyle } from '../state/edit-parts.ts';
import { changeEdit, type Make } from '../state/make.ts';
import { plannedLookOf } from '../state/planned-title.ts';
import { LateInput } from './late-input.tsx';
import { TitlePlace } from './title-place.tsx';
import styles from './titles.module.css';

/** As the service allows (`src/domain/edit-options.ts`). */
const MAX_SECONDS = 600;
const MAX_TITLES = 10;

const STYLES: readonly { readonly value: TitleStyle; readonly text: string }[] = [
  { value: 'look', text: 'as in the look' },
  { value: 'clean', text: 'clean' },
  { value: 'bold', text: 'bold' },
  { value: 'box', text: 'on a box, below' },
  { value: 'small', text: 'small, above' },
];

const BOXES = [
  { value: '', text: 'box as the style' },
  { value: 'on', text: 'on a box' },
  { value: 'off', text: 'without a box' },
] as const;

const ANIMATIONS: readonly { readonly value: TitleAnimation; readonly text: string }[] = [
  { value: 'auto', text: 'moves as the style' },
  { value: 'none', text: 'does not move' },
  { value: 'fade', text: 'fades' },
  { value: 'slide', text: 'slides up' },
  { value: 'pop', text: 'grows' },
];

/** Titles of an edit: text, time, style, box, animation and place. */
export function Titles({ make }: { readonly make: Make }): ReactElement {
  const { titles } = make;
  const { preview } = useEditPlan(make);
  const { width = 9, height = 16, captions = [] } = (preview?.plan?.timeline ?? {}) as Partial<Timeline>;
  const change = (at: number, changes: Partial<Title>, what: string) =>
    changeEdit({ titles: titles.map((one, index) => (index === at ? { ...one, ...changes } : one)) }, what);
  return (
    <fieldset className={styles.titles}>
      <legend>Titles</legend>
      {titles.map((title, index) => (
        <OneTitle
          // biome-ignore lint/suspicious/noArrayIndexKey: a title has no name of its own.
          key={index}
          title={title}
          number={index + 1}
          ratio={width / height}
          look={plannedLookOf(title.text, captions)}
          onChange={(changes, what) => change(index, changes, what)}
          onRemove={() => changeEdit({ titles: titles.filter((_, at) => at !== index) }, 'Remove a title')}
        />
      ))}
      {titles.length < MAX_TITLES && (
        <Button
          icon="add"
          manner="quiet"
          onClick={() =>
            changeEdit(
              { titles: [...titles, { at: titles.length === 0 ? 'start' : 'end', text: '' }] },
              'Add a title',
            )
          }
        >
          Add a title
        </Button>
      )}
    </fieldset>
  );
}

const MOVES = { fade: 'fades', slide: 'slides', pop: 'grows' } as const;

/** The style's own animation; null: none, or it is not planned yet. */
function movesText(look: CaptionLook | null): string | null {
  const animation = look?.animationIn ?? look?.animationOut;
  return animation === undefined ? null : `${MOVES[animation.type]}, as the style`;
}

function OneTitle({
  title,
  number,
  ratio,
  look,
  onChange,
  onRemove,
}: {
  readonly title: Title;
  readonly number: number;
  readonly ratio: number;
  /** As planned; null: not yet. */
  readonly look: CaptionLook | null;
  readonly onChange: (changes: Partial<Title>, what: string) => void;
  readonly onRemove: () => void;
}): ReactElement {
  const { at, text, style = 'look', place = null, box = null, animation = 'auto' } = title;
  const id = useId();
  return (
    <div className={styles.title}>
      <TitleText
        label={`Text of title ${number}`}
        value={text}
        onCommit={(next) => {
          if (next !== text) onChange({ text: next }, 'Change a title');
        }}
      />
      <div className={styles.choices}>
        <label className="unseen" htmlFor={`${id}-when`}>
          When title {number} is shown
        </label>
        <select
          id={`${id}-when`}
          value={typeof at === 'number' ? 'seconds' : at}
          onChange={({ target: { value } }) =>
            onChange({ at: value === 'seconds' ? 0 : (value as 'start' | 'end') }, 'Move a title')
          }
        >
          <option value="start">at the start</option>
          <option value="end">at the end</option>
          <option value="seconds">at second</option>
        </select>
        {typeof at === 'number' && (
          <LateInput
            label={`Second of title ${number}`}
            isLabelUnseen
            type="number"
            min={0}
            max={MAX_SECONDS}
            value={String(at)}
            onCommit={(next) => {
              const seconds = Math.min(MAX_SECONDS, Math.max(0, Number(next) || 0));
              if (seconds !== at) onChange({ at: seconds }, 'Move a title');
            }}
          />
        )}
        <label className="unseen" htmlFor={`${id}-style`}>
          Style of title {number}
        </label>
        <select
          id={`${id}-style`}
          value={style}
          onChange={({ target: { value } }) =>
            onChange({ style: value as TitleStyle, place: null }, 'Change the style of a title')
          }
        >
          {STYLES.map((one) => (
            <option key={one.value} value={one.value}>
              {one.text}
            </option>
          ))}
        </select>
        <label className="unseen" htmlFor={`${id}-box`}>
          Box of title {number}
        </label>
        <select
          id={`${id}-box`}
          value={box === null ? '' : box ? 'on' : 'off'}
          onChange={({ target: { value } }) =>
            onChange({ box: value === '' ? null : value === 'on' }, 'Change the box of a title')
          }
        >
          {BOXES.map(({ value, text: words }) => (
            <option key={value} value={value}>
              {value === '' && box === null && look?.box !== undefined ? 'a box, as the style' : words}
            </option>
          ))}
        </select>
        <label className="unseen" htmlFor={`${id}-animation`}>
          Animation of title {number}
        </label>
        <select
          id={`${id}-animation`}
          value={animation}
          onChange={({ target: { value } }) =>
            onChange({ animation: value as TitleAnimation }, 'Change how a title appears')
          }
        >
          {ANIMATIONS.map(({ value, text: words }) => (
            <option key={value} value={value}>
              {value === 'auto' && animation === 'auto' ? (movesText(look) ?? words) : words}
            </option>
          ))}
        </select>
        <IconButton icon="close" label={`Remove title ${number}`} onClick={onRemove} />
      </div>
      <TitlePlace
        label={`Place of title ${number}`}
        place={place}
        ratio={ratio}
        onPlace={(next) => onChange({ place: next }, 'Move a title')}
      />
    </div>
  );
}

/** Counts when it is left: a plan for each letter would be wrong until the last. */
function TitleText({
  label,
  value,
  onCommit,
}: {
  readonly label: string;
  readonly value: string;
  readonly onCommit: (text: string) => void;
}): ReactElement {
  const id = useId();
  const [text, setText] = useState(value);
  // Undo changes it from outside.
  useEffect(() => setText(value), [value]);
  return (
    <div className={styles.text}>
      <label className="unseen" htmlFor={id}>
        {label}
      </label>
      <textarea
        id={id}
        rows={2}
        placeholder={'Lisbon\nMay'}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onBlur={() => onCommit(text)}
      />
    </div>
  );
}
