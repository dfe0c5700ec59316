-- Visitors of websites who write by chat. See contract/chat.ts.
create table chat_visitors (
  company_id uuid not null references companies (id),
  id uuid not null,
  channel_id uuid not null,
  -- Null until the first message.
  conversation_id uuid,
  -- Who the site says it is, proved by a signature: id:42 or email:ada@example.com.
  external text,
  email text,
  -- The address is proved, not only typed.
  is_verified boolean not null default false,
  name text,
  page text,
  -- What the other side sees: who types until when, and what the visitor has read.
  typing_until timestamptz,
  member_typing_until timestamptz,
  seen_at timestamptz,
  -- Raised by every change that the widget shows.
  version int not null default 1,
  created_at timestamptz not null,
  primary key (company_id, id)
);
create unique index chat_visitors_external on chat_visitors (company_id, channel_id, external) where external is not null;
create index chat_visitors_of_conversation on chat_visitors (company_id, conversation_id) where conversation_id is not null;
