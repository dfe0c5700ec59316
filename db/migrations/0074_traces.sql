-- The trace that a caller's request was part of, from its traceparent.
alter table requests add trace_id text;
