-- Operators administer the installation, managers one of their organisations.
alter table account add column is_operator boolean not null default false;
alter table membership add column is_manager boolean not null default false;
-- until now every user could do what only managers can do now
update membership set is_manager = true;
