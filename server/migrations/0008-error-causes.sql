-- Why an operation failed, as far as the text shown depends on it: the sizes where the fault is a size, as
-- {"actual": bytes, "allowed": [bytes, ...] or {"min", "max"}}, and in the notification the internal code.
alter table operation add column error_sizes jsonb;
alter table notification add column internal_code text;
