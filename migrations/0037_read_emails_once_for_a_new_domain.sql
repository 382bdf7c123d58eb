-- A new domain is compared with each address once. Until now each address was compared with every domain of the list.
DROP TRIGGER verified_by_domain;--> statement-breakpoint
CREATE TRIGGER verified_by_domain AFTER INSERT ON university_domains BEGIN
  UPDATE profiles SET verified_level = 'student' WHERE verified_level = 'email' AND account_type = 'student'
    AND id IN (SELECT id FROM credentials WHERE substr(email, -length(new.domain) - 1) IN ('@' || new.domain, '.' || new.domain));
END;
