-- Sellers say that something isn't stolen or counterfeit, and sell tools of forged steel and things with a pistol grip.
-- "Bangi" is the Swahili word for bhang, which the list has.
INSERT OR IGNORE INTO prohibited_terms (id, kind, term, created_at) VALUES
  (lower(hex(randomblob(16))), 'word', 'bangi', 0),
  (lower(hex(randomblob(16))), 'allowed', 'isn''t stolen', 0),
  (lower(hex(randomblob(16))), 'allowed', 'wasn''t stolen', 0),
  (lower(hex(randomblob(16))), 'allowed', 'not a stolen', 0),
  (lower(hex(randomblob(16))), 'allowed', 'no stolen', 0),
  (lower(hex(randomblob(16))), 'allowed', 'no counterfeit', 0),
  (lower(hex(randomblob(16))), 'allowed', 'not a counterfeit', 0),
  (lower(hex(randomblob(16))), 'allowed', 'counterfeit pen', 0),
  (lower(hex(randomblob(16))), 'allowed', 'forged steel', 0),
  (lower(hex(randomblob(16))), 'allowed', 'drop forged', 0),
  (lower(hex(randomblob(16))), 'allowed', 'pistol grip', 0),
  (lower(hex(randomblob(16))), 'allowed', 'top gun', 0),
  (lower(hex(randomblob(16))), 'allowed', 'guns n roses', 0),
  (lower(hex(randomblob(16))), 'allowed', 'weed free', 0),
  (lower(hex(randomblob(16))), 'allowed', 'weed remover', 0);
