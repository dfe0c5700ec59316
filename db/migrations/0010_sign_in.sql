-- An address is claimed when its owner follows a link; guesses are counted by account, too.

-- People who have not joined yet hold their address in their own company only, so that others may invite them as well.
delete from sign_in_emails s using users u
  where u.company_id = s.company_id and u.id = s.user_id and u.password_hash is null;
create unique index users_by_email on users (company_id, email);

-- The address that a link is about to claim, where it is not the one that the user has.
alter table account_links add column email text;

-- A stranger who wants to create a company, until the address is confirmed.
create table sign_up_links (
  token_hash bytea primary key,
  email text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index sign_up_links_by_email on sign_up_links (email, created_at);

-- Each time that a company names an address of somebody who has not confirmed it.
create table named_addresses (
  company_id uuid not null references companies (id),
  id uuid not null,
  at timestamptz not null,
  primary key (company_id, id)
);

-- Browsers that signed in before: guesses from elsewhere do not use up what they may try.
create table sign_in_devices (
  token_hash bytea not null,
  company_id uuid not null,
  user_id uuid not null,
  last_used_at timestamptz not null,
  primary key (token_hash, company_id, user_id),
  foreign key (company_id, user_id) references users (company_id, id) on delete cascade
);
create index sign_in_devices_by_user on sign_in_devices (company_id, user_id);

alter table sign_in_failures add column device bytea;
create index sign_in_failures_by_account on sign_in_failures (email_hash, at);
