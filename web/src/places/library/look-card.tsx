import { type FormEvent, memo, type ReactElement, useState } from 'react';
import { Link, useLocation } from 'wouter';
import type { SavedStyle } from '../../../../src/client/api-types.ts';
import { outlierWords } from '../../../../src/style/model/outlier-words.ts';
import { Button, buttonClass } from '../../parts/button.tsx';
import { LookPicture } from '../../parts/look-picture.tsx';
import { Notice } from '../../parts/notice.tsx';
import { deleteLater } from '../../state/deletions.ts';
import { savedLookKey } from '../../state/lists.ts';
import { chooseLook } from '../../state/make.ts';
import { queries, service } from '../../state/service.ts';
import { type ErrorText, errorTextOf } from '../../words/error-text.ts';
import { originWords, usedWords } from '../../words/saved-look.ts';
import styles from './card.module.css';
import { Card } from './card.tsx';

export const LookCard = memo(function LookCard({
  look,
  isSelected,
  onSelect,
}: {
  readonly look: SavedStyle;
  readonly isSelected: boolean;
  readonly onSelect: (styleId: string, name: string) => void;
}): ReactElement {
  const [, go] = useLocation();
  const [isRenaming, setRenaming] = useState(false);
  const { style_id: styleId, name } = look;
  return (
    <Card
      name={name}
      isSelected={isSelected}
      onSelect={() => onSelect(styleId, name)}
      picture={
        <>
          <LookPicture look={look} />
          {isRenaming ? (
            <Rename look={look} onEnd={() => setRenaming(false)} />
          ) : (
            <span className={styles.name}>{name}</span>
          )}
        </>
      }
      facts={
        <>
          <p className={styles.fact}>
            {look.use_count === 0 ? (
              usedWords(0)
            ) : (
              <Link href={`/library?look=${encodeURIComponent(savedLookKey(styleId))}`}>
                {usedWords(look.use_count)}
              </Link>
            )}
          </p>
          <p className={styles.fact} title={look.description}>
            {originWords(look.origin)}
          </p>
          {outlierWords(look.style_json).map((words) => (
            <p key={words} className={styles.fact} title={words}>
              {words}
            </p>
          ))}
        </>
      }
    >
      <div className={`${styles.uses} ${styles.lookUses}`}>
        <Button
          manner="quiet"
          aria-label={`Use as look: ${name}`}
          onClick={() => {
            chooseLook({ kind: 'saved', styleId });
            go('/');
          }}
        >
          Use as look
        </Button>
        <Button manner="quiet" aria-label={`Rename ${name}`} onClick={() => setRenaming(true)}>
          Rename
        </Button>
        <a
          className={buttonClass('quiet')}
          href={service.styleFileUrl(styleId)}
          download
          aria-label={`Download ${name}`}
        >
          Download
        </a>
        <Button
          manner="quiet"
          aria-label={`Delete ${name}`}
          onClick={() => deleteLater([{ kind: 'style', id: styleId, name }])}
        >
          Delete
        </Button>
      </div>
    </Card>
  );
});

function Rename({
  look: { style_id: styleId, name: before },
  onEnd,
}: {
  readonly look: SavedStyle;
  readonly onEnd: () => void;
}): ReactElement {
  const [name, setName] = useState(before);
  const [errorText, setErrorText] = useState<ErrorText | null>(null);
  const save = async (event: FormEvent) => {
    event.preventDefault();
    try {
      await service.renameStyle(styleId, { name });
      await queries.invalidateQueries({ queryKey: ['styles'] });
      onEnd();
    } catch (error) {
      setErrorText(errorTextOf(error));
    }
  };
  return (
    <form className={styles.rename} onSubmit={(event) => void save(event)}>
      <input
        aria-label={`New name of ${before}`}
        value={name}
        required
        maxLength={100}
        // biome-ignore lint/a11y/noAutofocus: the field replaces the name whose button was pressed
        autoFocus
        onChange={(event) => setName(event.target.value)}
        onKeyDown={({ key }) => key === 'Escape' && onEnd()}
      />
      <Button type="submit">Save</Button>
      {errorText !== null && <Notice errorText={errorText} />}
    </form>
  );
}
