/** One function for each statement about saved styles. */
import { cursorAfter, readCursor } from '../database/cursor.ts';
import type { Queryable, Row } from '../database/database.ts';
import type { Listing, ListRequest } from '../database/listing.ts';
import { searchText } from '../database/search-text.ts';
import type { Style } from '../style/model/schema.ts';
import type { SavedStyle, StyleFilter, StyleOrigin } from './saved-style.ts';

interface StyleRow extends Row {
  readonly style_id: string;
  readonly name: string;
  readonly style: Style;
  readonly origin: StyleOrigin;
  readonly has_picture: boolean;
  readonly created_at: Date;
  readonly updated_at: Date;
  readonly use_count: number;
}

/** Previews have no part in the count. */
const COLUMNS = `styles.*, (select count(*) from jobs where jobs.style_id = styles.style_id and product is null) as use_count`;

function styleOf(row: StyleRow): SavedStyle {
  return {
    styleId: row.style_id,
    name: row.name,
    style: row.style,
    origin: row.origin,
    hasPicture: row.has_picture,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    useCount: Number(row.use_count),
  };
}

/** False: another style has the name. */
export async function insertStyle(db: Queryable, style: SavedStyle): Promise<boolean> {
  const rows = await db.query(
    `insert into styles (style_id, name, name_key, style, origin, has_picture, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, $7, $7) on conflict (name_key) do nothing returning 1 as inserted`,
    [
      style.styleId,
      style.name,
      searchText(style.name),
      JSON.stringify(style.style),
      JSON.stringify(style.origin),
      style.hasPicture,
      style.createdAt,
    ],
  );
  return rows.length > 0;
}

export async function selectStyle(db: Queryable, styleId: string): Promise<SavedStyle | null> {
  const [row] = await db.query<StyleRow>(`select ${COLUMNS} from styles where style_id = $1`, [styleId]);
  return row === undefined ? null : styleOf(row);
}

/** The id of the style with this name in any case; null: there is none. */
export async function selectStyleNamed(db: Queryable, name: string): Promise<string | null> {
  const [row] = await db.query<StyleRow>('select style_id from styles where name_key = $1', [
    searchText(name),
  ]);
  return row?.style_id ?? null;
}

/** False: there is no such style. Throws the database's error of a unique index when another style has the name. */
export async function updateName(db: Queryable, styleId: string, name: string, now: Date): Promise<boolean> {
  const rows = await db.query(
    `update styles set name = $2, name_key = $3, updated_at = $4 where style_id = $1 returning 1 as updated`,
    [styleId, name, searchText(name), now],
  );
  return rows.length > 0;
}

/** False: there is no such style. */
export async function deleteStyle(db: Queryable, styleId: string): Promise<boolean> {
  const rows = await db.query('delete from styles where style_id = $1 returning 1 as deleted', [styleId]);
  return rows.length > 0;
}

/** Newest first. */
export async function listStyles(
  db: Queryable,
  { filter, page, pageSize, cursor }: ListRequest<StyleFilter>,
): Promise<Listing<SavedStyle>> {
  const where = 'strpos(name_key, $1) > 0';
  const parameters: unknown[] = [searchText(filter.text ?? '')];
  const [counted] = await db.query<{ total: number }>(
    `select count(*) as total from styles where ${where}`,
    parameters,
  );
  const given = (value: unknown) => `$${parameters.push(value)}`;
  const after = cursor === undefined ? null : readCursor(cursor);
  const beyond =
    after === null ? '' : `and (created_at, style_id) < (${given(after.createdAt)}, ${given(after.id)})`;
  const rows = await db.query<StyleRow>(
    `select ${COLUMNS} from styles where ${where} ${beyond} order by created_at desc, style_id desc
     limit ${given(pageSize + 1)} offset ${given(after === null ? (page - 1) * pageSize : 0)}`,
    parameters,
  );
  const items = rows.slice(0, pageSize).map(styleOf);
  const last = items.at(-1);
  const nextCursor =
    rows.length > pageSize && last !== undefined ? cursorAfter(last.createdAt, last.styleId) : null;
  return { items, total: Number(counted!.total), nextCursor };
}
