/** A trigger that counts stored videos: `times` is 1 or -1; `columns`: arguments of `video_kind`. */
export function countingVideos(
  name: string,
  times: '1' | '-1',
  create = 'create',
  columns = 'content_type',
): string {
  return `${create} function ${name}() returns trigger language plpgsql as $$
     begin
       insert into video_counts as known
         select video_kind(${columns}), pg_backend_pid() % 16, ${times} * count(*) from changed where expired_at is null
         group by 1 order by 1
         on conflict (kind, slot) do update set videos = known.videos + excluded.videos;
       return null;
     end $$`;
}
