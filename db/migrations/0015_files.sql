-- Files in the file store, whose bytes lie outside of the database under company_id/id. A row is written only after its
-- bytes have reached the disk; bytes without a row are swept.
create table files (
  company_id uuid not null references companies (id),
  id uuid not null,
  purpose text not null,
  name text not null,
  type text not null,
  size integer not null,
  sha256 bytea not null,
  created_by uuid,
  created_at timestamptz not null,
  expires_at timestamptz,
  primary key (company_id, id)
);
create index files_by_expiry on files (expires_at) where expires_at is not null;
