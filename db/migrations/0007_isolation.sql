-- Called in the statement of every write of records. Whoever changes objects or fields takes the same lock alone, so
-- that no record is written that was checked against an outdated schema. Volatile: it sees what was committed meanwhile.
create function refuse_outdated_schema(company uuid, known int) returns void language plpgsql as $$
begin
  perform pg_advisory_xact_lock_shared(hashtextextended(company::text, 1));
  if (select schema_version from companies where id = company) <> known then
    raise exception 'the objects or fields of this company have changed' using errcode = 'KI001';
  end if;
end $$;

create index change_sets_by_undo on change_sets (company_id, undone_by) where undone_by is not null;

-- Lists that are sorted by these read them in order.
create index records_by_creation on records (company_id, object_id, created_at, id) where deleted_at is null;
create index records_by_activity on records (company_id, object_id, last_activity_at, id)
  where last_activity_at is not null and deleted_at is null;

-- How the records of a company are stored; those that were stored in an older way are made again behind the scenes.
alter table companies add column index_version int not null default 1;
alter table companies alter column index_version set default 2;

-- Titles are sorted folded, as other text is, by an index of their own.
drop index records_by_title;

-- Everyone may ask for their own requests; Admins look up what one user, key or action did.
create index requests_by_user on requests (company_id, user_id, id);
create index requests_by_key on requests (company_id, api_key_id, id) where api_key_id is not null;
create index audit_events_by_action on audit_events (company_id, action, id);
create index change_sets_by_time on change_sets (company_id, at);
