/** The migration of saved styles. A job has the id and the name at its creation; the style may be renamed or deleted since. */
export const STYLE_TABLES = `
  create table styles (
    style_id uuid primary key,
    name text not null,
    name_key text not null,
    style json not null,
    origin json not null,
    has_picture boolean not null,
    created_at timestamptz(3) not null,
    updated_at timestamptz(3) not null
  );
  create unique index styles_by_name on styles (name_key);
  create index styles_newest on styles (created_at desc, style_id desc);
  alter table jobs add style_id uuid, add style_name text;
  create index jobs_by_style on jobs (style_id) where style_id is not null and product is null
`;
