-- Users whom a manager has invited, by whom and when. Their links are signed, and not stored.
create table invitation (
  account_guid uuid primary key references account on delete cascade,
  organisation_guid uuid not null references organisation on delete cascade,
  invited_by uuid references account on delete set null,
  invited_on timestamptz not null
);
create index invitation_organisation on invitation (organisation_guid);
create index invitation_inviter on invitation (invited_by);
