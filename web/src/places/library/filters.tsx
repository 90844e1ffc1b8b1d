import type { ReactElement, ReactNode } from 'react';
import { Choice } from '../../parts/choice.tsx';
import { Icon } from '../../parts/icons.tsx';
import styles from './library-place.module.css';

export function Filters<Value extends string>({
  label,
  options,
  value,
  onChange,
  name,
  onName,
  children,
}: {
  readonly label: string;
  readonly options: readonly { readonly value: Value; readonly text: string }[];
  readonly value: Value;
  readonly onChange: (value: Value) => void;
  readonly name: string;
  readonly onName: (name: string) => void;
  readonly children?: ReactNode;
}): ReactElement {
  return (
    <search className={styles.filters}>
      <Choice label={label} isLabelUnseen options={options} value={value} onChange={onChange} />
      {children}
      <NameFilter name={name} onName={onName} />
    </search>
  );
}

export function NameFilter({
  name,
  onName,
}: {
  readonly name: string;
  readonly onName: (name: string) => void;
}): ReactElement {
  return (
    <label className={styles.name}>
      <Icon name="find" />
      <span className="unseen">Name</span>
      <input
        type="search"
        value={name}
        placeholder="Find by name"
        onChange={(event) => onName(event.target.value)}
      />
    </label>
  );
}
