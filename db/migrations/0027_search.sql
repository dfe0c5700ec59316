-- Led by the object, which belongs to one company, so that a word that is common in other companies costs nothing. It is
-- a list because GIN can index one without an extension, and so that no other index fits the condition of a search.
drop index records_by_search;
create index records_by_search on records using gin ((array[object_id]), search gin_trgm_ops) where deleted_at is null;

-- The search text has other ways to write names, addresses and numbers now; older records are reindexed by a job.
alter table companies alter column index_version set default 3;
