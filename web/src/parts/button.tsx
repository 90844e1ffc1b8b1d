import type { ButtonHTMLAttributes, ReactElement } from 'react';
import styles from './button.module.css';
import { Icon, type IconName } from './icons.tsx';

type Manner = 'usual' | 'main' | 'quiet';

/** The classes of a button, for links that look like one. */
export function buttonClass(manner: Manner = 'usual', isIcon = false): string {
  const names = [styles.button, manner === 'usual' ? '' : styles[manner], isIcon ? styles.icon : ''];
  return names.filter((name) => name !== '').join(' ');
}

export function Button({
  manner,
  icon,
  children,
  ...rest
}: ButtonHTMLAttributes<HTMLButtonElement> & {
  readonly manner?: Manner;
  readonly icon?: IconName;
}): ReactElement {
  return (
    <button type="button" className={buttonClass(manner)} {...rest}>
      {icon !== undefined && <Icon name={icon} />}
      {children}
    </button>
  );
}

/** A button with an icon alone; screen readers read `label`, and the pointer shows it. */
export function IconButton({
  icon,
  label,
  ...rest
}: ButtonHTMLAttributes<HTMLButtonElement> & {
  readonly icon: IconName;
  readonly label: string;
}): ReactElement {
  return (
    <button type="button" className={buttonClass('quiet', true)} aria-label={label} title={label} {...rest}>
      <Icon name={icon} />
    </button>
  );
}
