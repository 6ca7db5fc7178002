-- Whether engine processes can start no others; null: reported by an older version.
alter table worker_report add column is_sealed boolean;
alter table portal_report add column is_sealed boolean;
