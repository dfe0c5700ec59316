-- How many bytes the files of each company take up. A quota is checked with each upload and each message with files, so
-- they are counted as they come and go instead of added up each time. The size of a file never changes.
create table file_usage (
  company_id uuid not null primary key references companies (id),
  bytes bigint not null
);

create function count_file_bytes() returns trigger language plpgsql as $$
begin
  insert into file_usage as u (company_id, bytes)
    select company_id, sum(case tg_op when 'DELETE' then -size else size end) from changed
    group by company_id order by company_id
    on conflict (company_id) do update set bytes = u.bytes + excluded.bytes;
  return null;
end $$;
create trigger files_added after insert on files referencing new table as changed
  for each statement execute function count_file_bytes();
create trigger files_removed after delete on files referencing old table as changed
  for each statement execute function count_file_bytes();

insert into file_usage (company_id, bytes) select company_id, sum(size) from files group by company_id;
