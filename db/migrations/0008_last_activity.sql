-- Fills in when something last happened around a record, which nothing wrote until now.
create temporary table activity_sources on commit drop as
  select company_id, id, key from objects where is_built_in and key in ('activities', 'notes', 'tasks');

update records r set last_activity_at = case s.key
    when 'activities' then coalesce((r.values ->> 'at')::timestamptz, r.created_at)
    when 'notes' then r.created_at
    else case when r.values ->> 'status' = 'done' then r.updated_at end
  end
  from activity_sources s where r.company_id = s.company_id and r.object_id = s.id;

update records t set last_activity_at = x.at from (
    select l.company_id, l.to_id, max(r.last_activity_at) as at from records r
      join activity_sources s on s.company_id = r.company_id and s.id = r.object_id
      join links l on l.company_id = r.company_id and l.from_id = r.id
    where r.deleted_at is null and r.last_activity_at <= now() group by 1, 2
  ) x
  where t.company_id = x.company_id and t.id = x.to_id
    and not exists (select 1 from activity_sources s where s.company_id = t.company_id and s.id = t.object_id);

update records t set last_activity_at = greatest(t.last_activity_at, x.at) from (
    select l.company_id, l.to_id, max(r.last_activity_at) as at from records r
      join objects o on o.company_id = r.company_id and o.id = r.object_id and o.is_built_in and o.key in ('people', 'deals')
      join links l on l.company_id = r.company_id and l.from_id = r.id
      join fields f on f.company_id = l.company_id and f.id = l.field_id and f.is_built_in and f.key = 'organization'
    where r.deleted_at is null and r.last_activity_at is not null group by 1, 2
  ) x
  where t.company_id = x.company_id and t.id = x.to_id;
