-- Tables, their indexes, and their first rows. The tables.server.ts of each folder say what they mean.

-- ---------------------------------------------------------------------- accounts

CREATE TABLE credentials (
  id text PRIMARY KEY NOT NULL,
  email text NOT NULL,
  password_hash text,
  google_subject text,
  email_confirmed_at integer,
  session_epoch integer NOT NULL DEFAULT 1,
  access_changed_at integer,
  taken_back_at integer,
  suspended_at integer,
  recovery_codes text,
  recovery_codes_at integer,
  metadata text NOT NULL DEFAULT '{}',
  created_at integer NOT NULL,
  updated_at integer NOT NULL
);
CREATE UNIQUE INDEX credentials_email ON credentials (email);
CREATE UNIQUE INDEX credentials_google ON credentials (google_subject);
CREATE INDEX credentials_created ON credentials (created_at);

CREATE TABLE ended_sessions (
  id text PRIMARY KEY NOT NULL,
  ended_at integer NOT NULL
);
CREATE INDEX ended_sessions_ended_at ON ended_sessions (ended_at);

CREATE TABLE email_tokens (
  id text PRIMARY KEY NOT NULL,
  token_hash text NOT NULL,
  user_id text NOT NULL REFERENCES credentials (id),
  purpose text NOT NULL,
  email text,
  account_before text,
  expires_at integer NOT NULL,
  used_at integer,
  created_at integer NOT NULL
);
CREATE UNIQUE INDEX email_tokens_hash ON email_tokens (token_hash);
CREATE INDEX email_tokens_user ON email_tokens (user_id, purpose, created_at);
CREATE INDEX email_tokens_expires ON email_tokens (expires_at);

CREATE TABLE campus_locations (
  id integer PRIMARY KEY NOT NULL,
  name text NOT NULL,
  closes_on text,
  opens_on text
);
CREATE UNIQUE INDEX campus_locations_name ON campus_locations (name);

CREATE TABLE meeting_points (
  id text PRIMARY KEY NOT NULL,
  campus_id integer NOT NULL REFERENCES campus_locations (id),
  name text NOT NULL,
  opens_at integer NOT NULL,
  closes_at integer NOT NULL,
  weekdays_only integer NOT NULL DEFAULT false,
  hidden_at integer,
  created_at integer NOT NULL
);
CREATE UNIQUE INDEX meeting_points_name ON meeting_points (campus_id, name);

CREATE TABLE university_domains (
  domain text PRIMARY KEY NOT NULL,
  name text NOT NULL,
  created_at integer NOT NULL
);

CREATE TABLE profiles (
  id text PRIMARY KEY NOT NULL REFERENCES credentials (id),
  full_name text NOT NULL DEFAULT '',
  search_name text NOT NULL,
  email text NOT NULL,
  phone text,
  photo_url text,
  campus_location text,
  campus_location_id integer REFERENCES campus_locations (id),
  account_type text NOT NULL DEFAULT 'student',
  is_seller integer NOT NULL DEFAULT false,
  verification_status text NOT NULL DEFAULT 'pending',
  verified_level text NOT NULL DEFAULT 'none',
  is_google_user integer NOT NULL DEFAULT false,
  onboarding_completed integer NOT NULL DEFAULT false,
  shows_email integer NOT NULL DEFAULT false,
  profile_completed_at integer,
  is_pro integer NOT NULL DEFAULT false,
  pro_until integer,
  paying_phone text,
  payouts_held_until integer,
  admin_role text,
  deleted_at integer,
  created_at integer NOT NULL,
  updated_at integer NOT NULL
);
CREATE INDEX profiles_email ON profiles (email);
CREATE INDEX profiles_verification ON profiles (verification_status, created_at);
CREATE INDEX profiles_phone ON profiles (phone, created_at, id) WHERE phone IS NOT NULL;

CREATE TABLE remembered_emails (
  email_hash text NOT NULL,
  kind text NOT NULL,
  user_id text NOT NULL REFERENCES credentials (id),
  created_at integer NOT NULL,
  PRIMARY KEY (email_hash, kind, user_id)
);
CREATE INDEX remembered_emails_user ON remembered_emails (kind, user_id);
CREATE UNIQUE INDEX remembered_emails_admin ON remembered_emails (email_hash) WHERE kind = 'admin';

CREATE TABLE authenticators (
  user_id text PRIMARY KEY NOT NULL REFERENCES credentials (id),
  secret text NOT NULL,
  confirmed_at integer,
  started_by text NOT NULL,
  last_period integer NOT NULL DEFAULT 0,
  created_at integer NOT NULL
);

CREATE TABLE passkeys (
  id text PRIMARY KEY NOT NULL,
  user_id text NOT NULL REFERENCES credentials (id),
  public_key text NOT NULL,
  sign_count integer NOT NULL,
  last_used_at integer NOT NULL,
  created_at integer NOT NULL
);
CREATE INDEX passkeys_user ON passkeys (user_id);

CREATE TABLE verification_documents (
  id text PRIMARY KEY NOT NULL,
  user_id text NOT NULL REFERENCES credentials (id),
  document_type text NOT NULL,
  document_url text NOT NULL,
  file_name text NOT NULL,
  content_type text NOT NULL,
  size_bytes integer NOT NULL,
  verification_status text NOT NULL DEFAULT 'pending',
  review_reason text,
  reviewed_by text REFERENCES credentials (id),
  reviewed_at integer,
  file_deleted_at integer,
  created_at integer NOT NULL
);
CREATE INDEX verification_documents_user ON verification_documents (user_id, created_at);
CREATE INDEX verification_documents_status ON verification_documents (verification_status, created_at);
CREATE INDEX verification_documents_files ON verification_documents (reviewed_at) WHERE file_deleted_at IS NULL;

CREATE TABLE wholesaler_details (
  user_id text PRIMARY KEY NOT NULL REFERENCES credentials (id),
  business_name text NOT NULL,
  business_license_number text,
  tax_id text,
  business_address text,
  business_phone text,
  business_email text,
  business_description text,
  business_website text,
  verification_status text NOT NULL DEFAULT 'pending',
  created_at integer NOT NULL,
  updated_at integer NOT NULL
);

CREATE TABLE wholesaler_codes (
  id text PRIMARY KEY NOT NULL,
  code text NOT NULL,
  created_by text REFERENCES credentials (id),
  creator_email text,
  is_used integer NOT NULL DEFAULT false,
  used_by text,
  used_at integer,
  created_at integer NOT NULL
);
CREATE UNIQUE INDEX wholesaler_codes_code ON wholesaler_codes (code);
CREATE INDEX wholesaler_codes_created ON wholesaler_codes (created_at, id);

-- ----------------------------------------------------------------- notifications

CREATE TABLE push_subscriptions (
  id text PRIMARY KEY NOT NULL,
  user_id text NOT NULL REFERENCES credentials (id),
  endpoint text NOT NULL,
  p256dh text NOT NULL,
  auth text NOT NULL,
  device_name text NOT NULL,
  session_id text NOT NULL,
  session_epoch integer NOT NULL,
  ends_at integer NOT NULL,
  created_at integer NOT NULL,
  used_at integer NOT NULL
);
CREATE UNIQUE INDEX push_subscriptions_endpoint ON push_subscriptions (endpoint);
CREATE INDEX push_subscriptions_user ON push_subscriptions (user_id);

CREATE TABLE gathered_news (
  user_id text NOT NULL REFERENCES credentials (id),
  kind text NOT NULL,
  count integer NOT NULL,
  listings text NOT NULL,
  first_at integer NOT NULL,
  due_at integer,
  told_at integer,
  told text NOT NULL DEFAULT '{}',
  PRIMARY KEY (user_id, kind)
);
CREATE INDEX gathered_news_due ON gathered_news (due_at) WHERE due_at IS NOT NULL;

CREATE TABLE notification_settings (
  user_id text PRIMARY KEY NOT NULL REFERENCES credentials (id),
  choices text NOT NULL,
  quiet_from integer,
  quiet_until integer,
  updated_at integer NOT NULL
);

-- --------------------------------------------------------------------- catalogue

CREATE TABLE categories (
  id text PRIMARY KEY NOT NULL,
  name text NOT NULL,
  name_key text NOT NULL,
  description text,
  status text NOT NULL DEFAULT 'pending',
  created_by text REFERENCES credentials (id),
  created_at integer NOT NULL,
  listing_count integer NOT NULL DEFAULT 0
);
CREATE UNIQUE INDEX categories_name_key ON categories (name_key);
CREATE INDEX categories_status ON categories (status, name);
CREATE INDEX categories_browsed ON categories (listing_count DESC, name) WHERE status = 'approved';

CREATE TABLE products (
  id text PRIMARY KEY NOT NULL,
  name text NOT NULL,
  description text NOT NULL,
  price integer NOT NULL,
  original_price integer,
  image_url text,
  images text NOT NULL DEFAULT '[]',
  condition text NOT NULL DEFAULT 'new',
  location text NOT NULL DEFAULT 'Unknown',
  category text,
  type text,
  type_chosen integer NOT NULL DEFAULT false,
  facts text NOT NULL DEFAULT '{}',
  facts_chosen text NOT NULL DEFAULT '{}',
  seller_id text NOT NULL REFERENCES credentials (id),
  status text NOT NULL DEFAULT 'active',
  sold_at integer,
  stock integer,
  reserved integer NOT NULL DEFAULT 0,
  sku text,
  min_quantity integer NOT NULL DEFAULT 1,
  wholesale integer NOT NULL DEFAULT false,
  takes_offers integer NOT NULL DEFAULT false,
  lowest_offer integer,
  seller_verified integer NOT NULL DEFAULT false,
  suspended_at integer,
  held_for text,
  deleted_at integer,
  revision integer NOT NULL DEFAULT 0,
  news text NOT NULL DEFAULT 'new',
  news_price integer NOT NULL DEFAULT 0,
  check_at integer,
  asked_at integer,
  lowered_at integer,
  created_at integer NOT NULL,
  updated_at integer NOT NULL
);
CREATE INDEX products_for_sale
  ON products (created_at, id) WHERE status = 'active' AND deleted_at IS NULL AND suspended_at IS NULL;
CREATE INDEX products_for_sale_category_newest
  ON products (category, created_at, id) WHERE status = 'active' AND deleted_at IS NULL AND suspended_at IS NULL;
CREATE INDEX products_for_sale_location
  ON products (location, created_at, id) WHERE status = 'active' AND deleted_at IS NULL AND suspended_at IS NULL;
CREATE INDEX products_for_sale_type
  ON products (type, created_at, id) WHERE status = 'active' AND deleted_at IS NULL AND suspended_at IS NULL;
CREATE INDEX products_for_sale_price
  ON products (price) WHERE status = 'active' AND deleted_at IS NULL AND suspended_at IS NULL;
CREATE INDEX products_for_sale_category_price
  ON products (category, price) WHERE status = 'active' AND deleted_at IS NULL AND suspended_at IS NULL;
CREATE INDEX products_created ON products (created_at, seller_id);
CREATE INDEX products_seller ON products (seller_id, created_at, id);
CREATE INDEX products_seller_status ON products (seller_id, status, created_at, id);
CREATE INDEX products_check ON products (check_at) WHERE check_at IS NOT NULL;
CREATE INDEX products_asked ON products (seller_id) WHERE asked_at IS NOT NULL;
CREATE UNIQUE INDEX products_seller_sku ON products (seller_id, sku) WHERE sku IS NOT NULL AND deleted_at IS NULL;

CREATE TABLE price_steps (
  product_id text NOT NULL REFERENCES products (id),
  from_quantity integer NOT NULL,
  price integer NOT NULL,
  PRIMARY KEY (product_id, from_quantity)
);

CREATE TABLE stock_waits (
  product_id text NOT NULL REFERENCES products (id),
  user_id text NOT NULL REFERENCES credentials (id),
  created_at integer NOT NULL,
  free_at integer,
  PRIMARY KEY (product_id, user_id)
);
CREATE INDEX stock_waits_user ON stock_waits (user_id, created_at);
CREATE INDEX stock_waits_free ON stock_waits (free_at) WHERE free_at IS NOT NULL;

CREATE TABLE offers (
  id text PRIMARY KEY NOT NULL,
  product_id text NOT NULL REFERENCES products (id),
  buyer_id text NOT NULL REFERENCES credentials (id),
  seller_id text NOT NULL REFERENCES credentials (id),
  amount integer NOT NULL,
  counter_amount integer,
  state text NOT NULL DEFAULT 'open',
  listing_price integer NOT NULL,
  revision integer NOT NULL,
  end_reason text,
  expires_at integer NOT NULL,
  notice_due integer NOT NULL DEFAULT false,
  created_at integer NOT NULL,
  updated_at integer NOT NULL
);
CREATE UNIQUE INDEX offers_active ON offers (product_id, buyer_id) WHERE state IN ('open', 'countered', 'accepted');
CREATE INDEX offers_due ON offers (expires_at) WHERE state IN ('open', 'countered', 'accepted');
CREATE INDEX offers_notice_due ON offers (updated_at) WHERE notice_due = 1;
CREATE INDEX offers_buyer ON offers (buyer_id, state);
CREATE INDEX offers_product ON offers (product_id, state);
CREATE INDEX offers_to_answer ON offers (seller_id) WHERE state = 'open';

CREATE TABLE uploads (
  key text PRIMARY KEY NOT NULL,
  owner_id text NOT NULL REFERENCES credentials (id),
  bucket text NOT NULL,
  image text,
  attached_at integer,
  removing_at integer,
  removal_case_id text,
  moved_at integer,
  created_at integer NOT NULL
);
CREATE INDEX uploads_orphans ON uploads (attached_at, created_at);
CREATE INDEX uploads_removing ON uploads (removing_at) WHERE removing_at IS NOT NULL;
CREATE INDEX uploads_removed ON uploads (removal_case_id) WHERE removal_case_id IS NOT NULL;
CREATE INDEX uploads_misplaced ON uploads (key) WHERE (removal_case_id IS NULL) <> (moved_at IS NULL);

-- ------------------------------------------------------------------------ search

-- app/catalogue/search/search-index.server.ts writes all of these, and says what they are for.
CREATE VIRTUAL TABLE product_search USING fts5(
  name, category, keywords, description, type, facts, state,
  content = '', contentless_delete = 1, prefix = '1 2',
  tokenize = "unicode61 remove_diacritics 2 categories 'L* N* Co So'"
);

CREATE VIRTUAL TABLE shop_search USING fts5(
  name,
  content = '', contentless_delete = 1, prefix = '2 3',
  tokenize = "unicode61 remove_diacritics 2 categories 'L* N* Co So'"
);

CREATE TABLE search_words (number integer PRIMARY KEY NOT NULL, word text NOT NULL UNIQUE);

CREATE VIRTUAL TABLE search_word_parts USING fts5(word, tokenize = 'trigram');

-- ------------------------------------------------------------------------- shops

CREATE TABLE shops (
  id text PRIMARY KEY NOT NULL REFERENCES credentials (id),
  shop_name text NOT NULL,
  description text,
  banner_url text,
  logo_url text,
  offers_delivery integer NOT NULL DEFAULT false,
  business_hours text,
  policies text,
  preferred_contact text,
  featured_until integer,
  away_until integer,
  rating_score integer NOT NULL DEFAULT 4000,
  created_at integer NOT NULL,
  updated_at integer NOT NULL
);
CREATE INDEX shops_newest ON shops (created_at, id);
CREATE INDEX shops_featured ON shops (featured_until);
CREATE INDEX shops_rated ON shops (rating_score, created_at, id);

CREATE TABLE shop_follows (
  user_id text NOT NULL REFERENCES credentials (id),
  shop_id text NOT NULL REFERENCES shops (id),
  created_at integer NOT NULL,
  PRIMARY KEY (user_id, shop_id)
);
CREATE INDEX shop_follows_shop ON shop_follows (shop_id);

CREATE TABLE reviews (
  id text PRIMARY KEY NOT NULL,
  order_item_id text NOT NULL REFERENCES order_items (id),
  author_id text NOT NULL REFERENCES credentials (id),
  subject_id text NOT NULL REFERENCES credentials (id),
  subject_role text NOT NULL,
  rating integer NOT NULL,
  tags text NOT NULL DEFAULT '[]',
  text text NOT NULL DEFAULT '',
  photos text NOT NULL DEFAULT '[]',
  created_at integer NOT NULL,
  edited_at integer,
  publish_at integer NOT NULL,
  published_at integer,
  removed_at integer,
  reply text,
  replied_at integer,
  reply_removed_at integer
);
CREATE UNIQUE INDEX reviews_author ON reviews (order_item_id, author_id);
CREATE INDEX reviews_due ON reviews (publish_at) WHERE published_at IS NULL;
CREATE INDEX reviews_subject
  ON reviews (subject_id, subject_role, published_at, id) WHERE published_at IS NOT NULL AND removed_at IS NULL;
CREATE INDEX reviews_written ON reviews (author_id, created_at);
CREATE INDEX reviews_photos ON reviews (author_id) WHERE photos <> '[]';

CREATE TABLE user_ratings (
  user_id text NOT NULL REFERENCES credentials (id),
  role text NOT NULL,
  stars1 integer NOT NULL DEFAULT 0,
  stars2 integer NOT NULL DEFAULT 0,
  stars3 integer NOT NULL DEFAULT 0,
  stars4 integer NOT NULL DEFAULT 0,
  stars5 integer NOT NULL DEFAULT 0,
  PRIMARY KEY (user_id, role)
);

CREATE TABLE seller_buyers (
  seller_id text NOT NULL REFERENCES credentials (id),
  buyer_id text NOT NULL REFERENCES credentials (id),
  phone text,
  handed_over integer NOT NULL DEFAULT false,
  refunded integer NOT NULL DEFAULT false,
  cancelled integer NOT NULL DEFAULT false,
  PRIMARY KEY (seller_id, buyer_id)
);
CREATE UNIQUE INDEX seller_buyers_phone ON seller_buyers (seller_id, phone) WHERE phone IS NOT NULL;

CREATE TABLE subscriptions (
  id text PRIMARY KEY NOT NULL,
  user_id text NOT NULL REFERENCES credentials (id),
  plan text NOT NULL,
  amount integer NOT NULL,
  status text NOT NULL DEFAULT 'pending_payment',
  starts_at integer,
  ends_at integer,
  created_at integer NOT NULL,
  updated_at integer NOT NULL
);
CREATE INDEX subscriptions_user ON subscriptions (user_id, created_at);
CREATE INDEX subscriptions_ending ON subscriptions (status, ends_at);
CREATE UNIQUE INDEX subscriptions_waiting ON subscriptions (user_id, plan) WHERE status = 'pending_payment';

-- ------------------------------------------------------------------------ basket

CREATE TABLE cart_items (
  id text PRIMARY KEY NOT NULL,
  user_id text NOT NULL REFERENCES credentials (id),
  product_id text NOT NULL REFERENCES products (id),
  quantity integer NOT NULL DEFAULT 1,
  price_when_added integer NOT NULL DEFAULT 0,
  steps_when_added text,
  revision_when_added integer NOT NULL DEFAULT 0,
  last_addition_key text,
  created_at integer NOT NULL,
  updated_at integer NOT NULL
);
CREATE UNIQUE INDEX cart_items_user_product ON cart_items (user_id, product_id);
CREATE INDEX cart_items_product ON cart_items (product_id);

CREATE TABLE wishlist_items (
  id text PRIMARY KEY NOT NULL,
  user_id text NOT NULL REFERENCES credentials (id),
  product_id text NOT NULL REFERENCES products (id),
  price integer NOT NULL DEFAULT 0,
  created_at integer NOT NULL
);
CREATE UNIQUE INDEX wishlist_items_user_product ON wishlist_items (user_id, product_id);
CREATE INDEX wishlist_items_product ON wishlist_items (product_id);

-- ------------------------------------------------------------------------ orders

CREATE TABLE orders (
  id text PRIMARY KEY NOT NULL,
  user_id text NOT NULL REFERENCES credentials (id),
  amount integer NOT NULL,
  payment_status text NOT NULL DEFAULT 'pending',
  order_status text NOT NULL DEFAULT 'pending_payment',
  phone_number text,
  checkout_request_id text,
  receipt text,
  payment_date integer,
  payment_failure text,
  payment_review text,
  closed_reason text,
  delivery_option text,
  delivery_address text,
  delivery_instructions text,
  idempotency_key text NOT NULL,
  meeting_point_id text REFERENCES meeting_points (id),
  meeting_place text,
  meet_at integer,
  source text NOT NULL DEFAULT 'cart',
  replaced_by text REFERENCES orders (id),
  created_at integer NOT NULL,
  updated_at integer NOT NULL
);
CREATE UNIQUE INDEX orders_idempotency ON orders (user_id, idempotency_key);
CREATE INDEX orders_user ON orders (user_id, created_at, id);
CREATE INDEX orders_created ON orders (created_at);
CREATE INDEX orders_unpaid
  ON orders (created_at) WHERE payment_status IN ('pending', 'failed') AND order_status = 'pending_payment';

CREATE TABLE order_items (
  id text PRIMARY KEY NOT NULL,
  order_id text NOT NULL REFERENCES orders (id),
  product_id text NOT NULL REFERENCES products (id),
  seller_id text NOT NULL REFERENCES credentials (id),
  product_name text NOT NULL,
  product_image text,
  copy_id integer REFERENCES copies (id),
  quantity integer NOT NULL,
  price_per_unit integer NOT NULL,
  subtotal integer NOT NULL,
  price_group text,
  handover text NOT NULL DEFAULT 'thing',
  status text NOT NULL DEFAULT 'pending_payment',
  buyer_contacted integer NOT NULL DEFAULT false,
  buyer_agreed integer NOT NULL DEFAULT false,
  paid_at integer,
  shipped_at integer,
  delivered_at integer,
  wrong_codes integer NOT NULL DEFAULT 0,
  offer_id text REFERENCES offers (id),
  restocked_at integer,
  paid_by_seller integer NOT NULL DEFAULT false,
  created_at integer NOT NULL,
  updated_at integer NOT NULL
);
CREATE UNIQUE INDEX order_items_order_product ON order_items (order_id, product_id);
CREATE INDEX order_items_seller ON order_items (seller_id, status, created_at);
CREATE INDEX order_items_sold ON order_items (seller_id, paid_at, status, subtotal);
CREATE INDEX order_items_desk
  ON order_items (seller_id, CASE
    WHEN status IN ('cancel_requested', 'problem_reported') THEN 0
    WHEN status = 'shipped' THEN 4
    WHEN status IN ('delivered', 'offered') THEN 5
    WHEN status = 'in_review' THEN 6
    WHEN buyer_agreed = 1 THEN 1
    WHEN buyer_contacted = 0 THEN 2
    ELSE 3
  END, created_at, id)
  WHERE status IN ('processing', 'cancel_requested', 'shipped', 'delivered', 'problem_reported', 'offered', 'in_review');
CREATE INDEX order_items_problems
  ON order_items (status, updated_at, id) WHERE status IN ('problem_reported', 'offered', 'in_review');
CREATE INDEX order_items_product ON order_items (product_id);
CREATE INDEX order_items_went_for
  ON order_items (price_group, paid_at)
  WHERE price_group IS NOT NULL AND status = 'completed' AND quantity = 1 AND paid_by_seller = 0;
CREATE INDEX order_items_photo ON order_items (product_image ->> 'key') WHERE product_image IS NOT NULL;
CREATE INDEX order_items_offer ON order_items (offer_id) WHERE offer_id IS NOT NULL;

-- ------------------------------------------------------------------------- deals

CREATE TABLE deal_events (
  id text PRIMARY KEY NOT NULL,
  order_item_id text NOT NULL REFERENCES order_items (id),
  event text NOT NULL,
  actor text NOT NULL,
  actor_id text REFERENCES credentials (id),
  reason text,
  note text,
  amount integer,
  against text,
  created_at integer NOT NULL
);
CREATE INDEX deal_events_item ON deal_events (order_item_id, created_at, id);

CREATE TABLE deal_timers (
  order_item_id text NOT NULL REFERENCES order_items (id),
  kind text NOT NULL,
  due_at integer NOT NULL,
  PRIMARY KEY (order_item_id, kind)
);
CREATE INDEX deal_timers_due ON deal_timers (due_at);

CREATE TABLE problems (
  order_item_id text PRIMARY KEY NOT NULL REFERENCES order_items (id),
  kind text NOT NULL,
  description text NOT NULL,
  photos text NOT NULL DEFAULT '[]',
  opened_at integer NOT NULL,
  offered_refund integer,
  refunded integer,
  settled_at integer
);
CREATE INDEX problems_opened ON problems (opened_at);

CREATE TABLE meetings (
  order_item_id text PRIMARY KEY NOT NULL REFERENCES order_items (id),
  point_id text REFERENCES meeting_points (id),
  place text NOT NULL,
  starts_at integer NOT NULL,
  proposed_by text NOT NULL REFERENCES credentials (id),
  state text NOT NULL DEFAULT 'proposed',
  round integer NOT NULL DEFAULT 1,
  remind_at integer,
  passed_at integer,
  created_at integer NOT NULL,
  updated_at integer NOT NULL
);
CREATE INDEX meetings_reminders ON meetings (remind_at) WHERE remind_at IS NOT NULL;

CREATE TABLE attendance (
  order_item_id text PRIMARY KEY NOT NULL REFERENCES order_items (id),
  seller_id text NOT NULL REFERENCES credentials (id),
  buyer_id text NOT NULL REFERENCES credentials (id),
  missed_by text
);
CREATE INDEX attendance_seller ON attendance (seller_id, buyer_id, missed_by);
CREATE INDEX attendance_buyer ON attendance (buyer_id, seller_id, missed_by);

CREATE TABLE deal_holds (
  order_item_id text NOT NULL REFERENCES order_items (id),
  proposal_id text NOT NULL REFERENCES admin_proposals (id),
  held_at integer NOT NULL,
  PRIMARY KEY (order_item_id, proposal_id)
);
CREATE INDEX deal_holds_proposal ON deal_holds (proposal_id);

CREATE TABLE issue_reports (
  id text PRIMARY KEY NOT NULL,
  user_id text NOT NULL REFERENCES credentials (id),
  seller_id text REFERENCES credentials (id),
  product_id text REFERENCES products (id),
  order_id text REFERENCES orders (id),
  description text NOT NULL,
  status text NOT NULL DEFAULT 'open',
  outcome text,
  notes text,
  created_at integer NOT NULL,
  closed_at integer
);
CREATE INDEX issue_reports_status ON issue_reports (status, created_at);
CREATE INDEX issue_reports_order ON issue_reports (order_id);

-- ---------------------------------------------------------------------- payments

CREATE TABLE payment_attempts (
  id text PRIMARY KEY NOT NULL,
  purpose text NOT NULL,
  order_id text REFERENCES orders (id),
  subscription_id text REFERENCES subscriptions (id),
  user_id text NOT NULL REFERENCES credentials (id),
  phone text NOT NULL,
  amount integer NOT NULL,
  state text NOT NULL DEFAULT 'created',
  callback_token text NOT NULL,
  merchant_request_id text,
  checkout_request_id text,
  receipt text,
  result_code text,
  result_desc text,
  failure_reason text,
  confirmed_at integer,
  reserves_stock integer NOT NULL DEFAULT false,
  query_count integer NOT NULL DEFAULT 0,
  next_query_at integer,
  created_at integer NOT NULL,
  settled_at integer,
  updated_at integer NOT NULL
);
CREATE UNIQUE INDEX payment_attempts_token ON payment_attempts (callback_token);
CREATE UNIQUE INDEX payment_attempts_checkout_request
  ON payment_attempts (checkout_request_id) WHERE checkout_request_id IS NOT NULL;
CREATE UNIQUE INDEX payment_attempts_receipt ON payment_attempts (receipt) WHERE receipt IS NOT NULL;
CREATE UNIQUE INDEX payment_attempts_live_order
  ON payment_attempts (order_id) WHERE state IN ('created', 'pushed', 'unknown');
CREATE UNIQUE INDEX payment_attempts_live_subscription
  ON payment_attempts (subscription_id) WHERE subscription_id IS NOT NULL AND state IN ('created', 'pushed', 'unknown');
CREATE INDEX payment_attempts_order ON payment_attempts (order_id, created_at);
CREATE INDEX payment_attempts_subscription
  ON payment_attempts (subscription_id, created_at) WHERE subscription_id IS NOT NULL;
CREATE INDEX payment_attempts_phone ON payment_attempts (phone, created_at);
CREATE INDEX payment_attempts_due ON payment_attempts (next_query_at) WHERE next_query_at IS NOT NULL;
CREATE INDEX payment_attempts_state ON payment_attempts (state, created_at);
CREATE INDEX payment_attempts_settled ON payment_attempts (settled_at) WHERE settled_at IS NOT NULL;

CREATE TABLE payouts (
  id text PRIMARY KEY NOT NULL,
  amount integer NOT NULL,
  state text NOT NULL DEFAULT 'due',
  phone text,
  conversation_id text NOT NULL,
  callback_token text NOT NULL,
  provider_conversation_id text,
  receipt text,
  result_code text,
  result_desc text,
  wait_reason text,
  wait_detail text,
  send_count integer NOT NULL DEFAULT 0,
  lookup_count integer NOT NULL DEFAULT 0,
  next_action_at integer,
  done_by text REFERENCES credentials (id),
  created_at integer NOT NULL,
  sent_at integer,
  done_at integer,
  updated_at integer NOT NULL,
  order_item_id text NOT NULL REFERENCES order_items (id),
  seller_id text NOT NULL REFERENCES credentials (id)
);
CREATE UNIQUE INDEX payouts_order_item ON payouts (order_item_id);
CREATE UNIQUE INDEX payouts_conversation ON payouts (conversation_id);
CREATE UNIQUE INDEX payouts_token ON payouts (callback_token);
CREATE UNIQUE INDEX payouts_receipt ON payouts (receipt) WHERE receipt IS NOT NULL;
CREATE INDEX payouts_due ON payouts (next_action_at) WHERE next_action_at IS NOT NULL;
CREATE INDEX payouts_state ON payouts (state, created_at);
CREATE INDEX payouts_open ON payouts (seller_id) WHERE state <> 'done';
CREATE INDEX payouts_seller ON payouts (seller_id, created_at);
CREATE INDEX payouts_paid ON payouts (seller_id, amount) WHERE state = 'done';

CREATE TABLE payout_items (
  order_item_id text PRIMARY KEY NOT NULL REFERENCES order_items (id),
  payout_id text NOT NULL REFERENCES payouts (id),
  amount integer NOT NULL,
  created_at integer NOT NULL
);
CREATE INDEX payout_items_payout ON payout_items (payout_id);

CREATE TABLE receipt_checks (
  id text PRIMARY KEY NOT NULL,
  attempt_id text REFERENCES payment_attempts (id),
  payout_id text REFERENCES payouts (id),
  refund_id text REFERENCES refunds (id),
  receipt text NOT NULL,
  phone text,
  token text NOT NULL,
  asked_by text NOT NULL REFERENCES credentials (id),
  state text NOT NULL DEFAULT 'asked',
  detail text,
  created_at integer NOT NULL,
  answered_at integer
);
CREATE UNIQUE INDEX receipt_checks_token ON receipt_checks (token);
CREATE INDEX receipt_checks_attempt ON receipt_checks (attempt_id, created_at);
CREATE INDEX receipt_checks_payout ON receipt_checks (payout_id, created_at);
CREATE INDEX receipt_checks_refund ON receipt_checks (refund_id, created_at);
CREATE INDEX receipt_checks_receipt ON receipt_checks (receipt);

CREATE TABLE payment_callbacks (
  id text PRIMARY KEY NOT NULL,
  kind text NOT NULL,
  token text NOT NULL,
  body text NOT NULL,
  source_address text,
  request_id text,
  received_at integer NOT NULL,
  applied_at integer,
  outcome text
);
CREATE INDEX payment_callbacks_untried ON payment_callbacks (received_at) WHERE outcome IS NULL;
CREATE INDEX payment_callbacks_failed ON payment_callbacks (received_at) WHERE outcome = 'failed';
CREATE INDEX payment_callbacks_token ON payment_callbacks (token, received_at);
CREATE INDEX payment_callbacks_received ON payment_callbacks (received_at, id);
CREATE INDEX payment_callbacks_strangers ON payment_callbacks (received_at) WHERE outcome = 'unknown_token';

CREATE TABLE probes (
  token text PRIMARY KEY NOT NULL,
  kind text NOT NULL,
  started_at integer NOT NULL,
  answer text,
  answered_at integer
);

CREATE TABLE refunds (
  id text PRIMARY KEY NOT NULL,
  amount integer NOT NULL,
  state text NOT NULL DEFAULT 'due',
  phone text,
  conversation_id text NOT NULL,
  callback_token text NOT NULL,
  provider_conversation_id text,
  receipt text,
  result_code text,
  result_desc text,
  wait_reason text,
  wait_detail text,
  send_count integer NOT NULL DEFAULT 0,
  lookup_count integer NOT NULL DEFAULT 0,
  next_action_at integer,
  done_by text REFERENCES credentials (id),
  created_at integer NOT NULL,
  sent_at integer,
  done_at integer,
  updated_at integer NOT NULL,
  attempt_id text NOT NULL REFERENCES payment_attempts (id),
  order_id text REFERENCES orders (id),
  order_item_id text REFERENCES order_items (id),
  reason text NOT NULL,
  method text
);
CREATE UNIQUE INDEX refunds_payment ON refunds (attempt_id) WHERE order_item_id IS NULL;
CREATE UNIQUE INDEX refunds_item ON refunds (order_item_id);
CREATE UNIQUE INDEX refunds_conversation ON refunds (conversation_id);
CREATE UNIQUE INDEX refunds_token ON refunds (callback_token);
CREATE UNIQUE INDEX refunds_receipt ON refunds (receipt);
CREATE INDEX refunds_attempt ON refunds (attempt_id);
CREATE INDEX refunds_due ON refunds (next_action_at);
CREATE INDEX refunds_state ON refunds (state, created_at);
CREATE INDEX refunds_open ON refunds (id) WHERE state <> 'done';

CREATE TABLE ledger_entries (
  id text PRIMARY KEY NOT NULL,
  transaction_id text NOT NULL,
  account text NOT NULL,
  kind text NOT NULL,
  amount integer NOT NULL,
  order_id text,
  order_item_id text,
  attempt_id text,
  payout_id text,
  refund_id text,
  created_at integer NOT NULL
);
CREATE UNIQUE INDEX ledger_entries_leg ON ledger_entries (transaction_id, account, kind);
CREATE INDEX ledger_entries_account ON ledger_entries (account, created_at);

CREATE TABLE discrepancies (
  id text PRIMARY KEY NOT NULL,
  kind text NOT NULL,
  subject text NOT NULL,
  detail text NOT NULL,
  created_at integer NOT NULL,
  resolved_at integer,
  resolved_by text REFERENCES credentials (id),
  resolution text
);
CREATE UNIQUE INDEX discrepancies_subject ON discrepancies (kind, subject);
CREATE INDEX discrepancies_open ON discrepancies (resolved_at, created_at);

CREATE TABLE mpesa_lists (
  id text PRIMARY KEY NOT NULL,
  source text NOT NULL,
  account text NOT NULL,
  from_at integer NOT NULL,
  until_at integer NOT NULL,
  equal integer NOT NULL,
  learned integer NOT NULL,
  missing_here integer NOT NULL,
  missing_there integer NOT NULL,
  different integer NOT NULL,
  ignored integer NOT NULL,
  sent_by text REFERENCES credentials (id),
  created_at integer NOT NULL
);
CREATE INDEX mpesa_lists_source ON mpesa_lists (source, created_at);

CREATE TABLE unmatched_lines (
  id text PRIMARY KEY NOT NULL,
  list_id text NOT NULL,
  finding text NOT NULL,
  receipt text,
  record_kind text,
  record_id text,
  listed_cents integer,
  recorded_amount integer,
  reference text,
  reason text,
  at integer NOT NULL,
  created_at integer NOT NULL,
  closed_at integer,
  closed_by text REFERENCES credentials (id),
  resolution text
);
CREATE INDEX unmatched_lines_open ON unmatched_lines (created_at) WHERE closed_at IS NULL;
CREATE INDEX unmatched_lines_list ON unmatched_lines (list_id);

CREATE TABLE daraja_tokens (
  id text PRIMARY KEY NOT NULL,
  access_token text,
  expires_at integer,
  generation integer NOT NULL DEFAULT 0,
  refreshing_until integer NOT NULL DEFAULT 0
);

-- --------------------------------------------------------------------- messaging

CREATE TABLE messages (
  id text PRIMARY KEY NOT NULL,
  thread text NOT NULL,
  sender_id text NOT NULL REFERENCES credentials (id),
  recipient_id text NOT NULL REFERENCES credentials (id),
  product_id text REFERENCES products (id),
  order_id text REFERENCES orders (id),
  order_item_id text REFERENCES order_items (id),
  message text NOT NULL,
  images text NOT NULL DEFAULT '[]',
  sender_name text NOT NULL,
  recipient_name text NOT NULL,
  read integer NOT NULL DEFAULT false,
  kind text NOT NULL DEFAULT 'text',
  offer_id text REFERENCES offers (id),
  idempotency_key text,
  removed_at integer,
  created_at integer NOT NULL
);
CREATE INDEX messages_thread ON messages (thread, created_at, id);
CREATE INDEX messages_unread ON messages (recipient_id, sender_id) WHERE read = 0;
CREATE INDEX messages_sender ON messages (sender_id, created_at);
CREATE INDEX messages_item ON messages (order_item_id, created_at) WHERE order_item_id IS NOT NULL;
CREATE UNIQUE INDEX messages_idempotency ON messages (sender_id, idempotency_key);
CREATE INDEX messages_photos ON messages (sender_id) WHERE images <> '[]';

CREATE TABLE conversations (
  user_id text NOT NULL REFERENCES credentials (id),
  other_id text NOT NULL REFERENCES credentials (id),
  last_message_id text NOT NULL,
  last_at integer NOT NULL,
  product_id text REFERENCES products (id),
  order_id text REFERENCES orders (id),
  order_item_id text REFERENCES order_items (id),
  asked_at integer,
  reply_ms integer,
  notice_due_at integer,
  notice_since integer,
  noticed_at integer,
  PRIMARY KEY (user_id, other_id)
);
CREATE INDEX conversations_inbox ON conversations (user_id, last_at, other_id);
CREATE INDEX conversations_asked ON conversations (user_id, asked_at) WHERE asked_at IS NOT NULL;
CREATE INDEX conversations_notices ON conversations (notice_due_at) WHERE notice_due_at IS NOT NULL;

CREATE TABLE blocks (
  user_id text NOT NULL REFERENCES credentials (id),
  blocked_id text NOT NULL REFERENCES credentials (id),
  created_at integer NOT NULL,
  PRIMARY KEY (user_id, blocked_id)
);
CREATE INDEX blocks_blocked ON blocks (blocked_id);

-- ------------------------------------------------------------------------ upkeep

CREATE TABLE listing_days (
  day integer NOT NULL,
  seller_id text NOT NULL REFERENCES credentials (id),
  product_id text NOT NULL REFERENCES products (id),
  views integer NOT NULL,
  messages integer NOT NULL,
  PRIMARY KEY (day, seller_id, product_id)
);

-- -------------------------------------------------------------------- moderation

CREATE TABLE copies (
  id integer PRIMARY KEY AUTOINCREMENT NOT NULL,
  kind text NOT NULL,
  subject_id text NOT NULL,
  owner_id text NOT NULL REFERENCES credentials (id),
  content text NOT NULL,
  photos text NOT NULL DEFAULT '[]',
  created_at integer NOT NULL
);
CREATE INDEX copies_subject ON copies (kind, subject_id, id);
CREATE INDEX copies_owner ON copies (owner_id);
CREATE INDEX copies_photos ON copies (owner_id, photos) WHERE photos <> '[]';

CREATE TABLE moderation_cases (
  id text PRIMARY KEY NOT NULL,
  subject text NOT NULL,
  subject_id text NOT NULL,
  reported_id text NOT NULL REFERENCES credentials (id),
  copy_id integer REFERENCES copies (id),
  state text NOT NULL DEFAULT 'open',
  harm integer NOT NULL DEFAULT 0,
  reports integer NOT NULL DEFAULT 0,
  decision text,
  statement text,
  decided_by text REFERENCES credentials (id),
  decided_at integer,
  appeal_token text NOT NULL,
  appeal text,
  appealed_at integer,
  appeal_granted integer,
  appeal_answer text,
  appeal_decided_by text REFERENCES credentials (id),
  closed_at integer,
  created_at integer NOT NULL,
  updated_at integer NOT NULL
);
CREATE UNIQUE INDEX moderation_cases_open ON moderation_cases (subject, subject_id) WHERE state = 'open';
CREATE INDEX moderation_cases_queue ON moderation_cases (harm, created_at, id) WHERE state IN ('open', 'appealed');
CREATE INDEX moderation_cases_done ON moderation_cases (updated_at, id) WHERE state IN ('decided', 'closed');
CREATE INDEX moderation_cases_reported ON moderation_cases (reported_id, created_at);
CREATE UNIQUE INDEX moderation_cases_token ON moderation_cases (appeal_token);

CREATE TABLE reports (
  id text PRIMARY KEY NOT NULL,
  case_id text NOT NULL REFERENCES moderation_cases (id),
  reporter_id text NOT NULL REFERENCES credentials (id),
  copy_id integer REFERENCES copies (id),
  reason text NOT NULL,
  text text NOT NULL DEFAULT '',
  lifted_at integer,
  created_at integer NOT NULL
);
CREATE UNIQUE INDEX reports_reporter ON reports (case_id, reporter_id);
CREATE INDEX reports_written ON reports (reporter_id, created_at);

CREATE TABLE prohibited_terms (
  id text PRIMARY KEY NOT NULL,
  kind text NOT NULL,
  term text NOT NULL,
  created_at integer NOT NULL
);
CREATE UNIQUE INDEX prohibited_terms_term ON prohibited_terms (kind, term);

-- ------------------------------------------------------------------------- types

CREATE TABLE item_types (
  id text PRIMARY KEY NOT NULL,
  name text NOT NULL,
  plural text NOT NULL,
  category text NOT NULL,
  created_at integer NOT NULL
);

CREATE TABLE item_type_words (
  type_id text NOT NULL,
  word text NOT NULL,
  "use" text NOT NULL,
  created_at integer NOT NULL,
  PRIMARY KEY (type_id, word)
);

CREATE TABLE missed_searches (
  words text PRIMARY KEY NOT NULL,
  count integer NOT NULL,
  last_at integer NOT NULL
);
CREATE INDEX missed_searches_count ON missed_searches (count);

CREATE TABLE saved_queries (
  id integer PRIMARY KEY NOT NULL,
  address text NOT NULL,
  max_price integer NOT NULL,
  created_at integer NOT NULL
);
CREATE UNIQUE INDEX saved_queries_address ON saved_queries (address);
CREATE INDEX saved_queries_max_price ON saved_queries (max_price);

CREATE TABLE saved_searches (
  id text PRIMARY KEY NOT NULL,
  user_id text NOT NULL REFERENCES credentials (id),
  query_id integer NOT NULL,
  frequency text NOT NULL DEFAULT 'at_once',
  new_count integer NOT NULL DEFAULT 0,
  created_at integer NOT NULL,
  shared_at integer
);
CREATE UNIQUE INDEX saved_searches_user_query ON saved_searches (user_id, query_id);
CREATE INDEX saved_searches_query ON saved_searches (query_id);

CREATE TABLE listing_serials (
  product_id text PRIMARY KEY NOT NULL REFERENCES products (id),
  hash text NOT NULL,
  ending text NOT NULL,
  created_at integer NOT NULL
);
CREATE INDEX listing_serials_hash ON listing_serials (hash);

CREATE TABLE stolen_serials (
  id text PRIMARY KEY NOT NULL,
  reporter_id text NOT NULL REFERENCES credentials (id),
  hash text NOT NULL,
  ending text NOT NULL,
  text text NOT NULL,
  photos text NOT NULL,
  created_at integer NOT NULL,
  ended_at integer
);
CREATE UNIQUE INDEX stolen_serials_standing ON stolen_serials (hash, reporter_id) WHERE ended_at IS NULL;
CREATE INDEX stolen_serials_reporter ON stolen_serials (reporter_id, created_at);

CREATE TABLE found_listings (
  user_id text NOT NULL REFERENCES credentials (id),
  product_id text NOT NULL REFERENCES products (id),
  reason text NOT NULL,
  searches text NOT NULL DEFAULT '[]',
  price integer NOT NULL,
  told integer NOT NULL,
  waits_since integer,
  created_at integer NOT NULL,
  PRIMARY KEY (user_id, product_id)
);
CREATE INDEX found_listings_waits ON found_listings (waits_since, user_id) WHERE waits_since IS NOT NULL;

CREATE TABLE listing_news (
  id integer PRIMARY KEY NOT NULL,
  product_id text NOT NULL REFERENCES products (id),
  kind text NOT NULL,
  at integer NOT NULL
);

-- ------------------------------------------------------------ admin and plumbing

CREATE TABLE audit_log (
  id text PRIMARY KEY NOT NULL,
  actor_id text REFERENCES credentials (id),
  action text NOT NULL,
  subject text NOT NULL,
  detail text,
  created_at integer NOT NULL
);
CREATE INDEX audit_log_created ON audit_log (created_at, id);
CREATE INDEX audit_log_subject ON audit_log (subject, created_at);

CREATE TABLE admin_claims (
  subject text PRIMARY KEY NOT NULL,
  admin_id text NOT NULL REFERENCES credentials (id),
  until integer NOT NULL
);

CREATE TABLE admin_proposals (
  id text PRIMARY KEY NOT NULL,
  act text NOT NULL,
  subject text NOT NULL,
  admin_id text NOT NULL REFERENCES credentials (id),
  input text NOT NULL,
  reasons text NOT NULL,
  amount integer NOT NULL,
  state text NOT NULL DEFAULT 'open',
  created_at integer NOT NULL,
  decided_by text REFERENCES credentials (id),
  decided_at integer
);
CREATE UNIQUE INDEX admin_proposals_open ON admin_proposals (subject) WHERE state = 'open';

CREATE TABLE admin_moves (
  admin_id text NOT NULL REFERENCES credentials (id),
  money_id text NOT NULL,
  act text NOT NULL,
  buyer_id text REFERENCES credentials (id),
  seller_id text REFERENCES credentials (id),
  amount integer NOT NULL,
  created_at integer NOT NULL,
  PRIMARY KEY (admin_id, money_id)
);

CREATE TABLE outbox (
  id text PRIMARY KEY NOT NULL,
  topic text NOT NULL,
  priority integer NOT NULL DEFAULT 3,
  dedupe_key text NOT NULL,
  payload text NOT NULL,
  attempts integer NOT NULL DEFAULT 0,
  available_at integer NOT NULL,
  done_at integer,
  dead_at integer,
  last_error text,
  fault text,
  created_at integer NOT NULL
);
CREATE UNIQUE INDEX outbox_dedupe ON outbox (dedupe_key);
CREATE INDEX outbox_waiting ON outbox (priority, available_at) WHERE done_at IS NULL AND dead_at IS NULL;
CREATE INDEX outbox_given_up ON outbox (dead_at) WHERE dead_at IS NOT NULL;

CREATE TABLE alarms (
  name text PRIMARY KEY NOT NULL,
  figure integer NOT NULL,
  since integer NOT NULL,
  calm_since integer
);

CREATE TABLE operator_dates (
  name text PRIMARY KEY NOT NULL,
  hash text NOT NULL,
  since integer NOT NULL
);

CREATE TABLE notifications (
  id integer PRIMARY KEY NOT NULL,
  user_id text NOT NULL REFERENCES credentials (id),
  kind text NOT NULL,
  data text NOT NULL,
  thing text,
  key text NOT NULL,
  count integer NOT NULL DEFAULT 1,
  created_at integer NOT NULL,
  read_at integer
);
CREATE UNIQUE INDEX notifications_key ON notifications (key);
CREATE INDEX notifications_user ON notifications (user_id);
CREATE INDEX notifications_unread ON notifications (user_id, thing) WHERE read_at IS NULL;

CREATE TABLE rate_counters (
  key text PRIMARY KEY NOT NULL,
  window_start integer NOT NULL,
  count integer NOT NULL
);
CREATE INDEX rate_counters_window ON rate_counters (window_start);

CREATE TABLE leases (
  name text PRIMARY KEY NOT NULL,
  until integer NOT NULL
);

CREATE TABLE passes (
  job text PRIMARY KEY NOT NULL,
  pass text NOT NULL,
  after text
);

CREATE TABLE write_marks (
  id integer PRIMARY KEY NOT NULL,
  at integer NOT NULL
);

-- -------------------------------------------------------------------- first rows

-- Admins edit the categories, the domains and the terms afterwards.
INSERT INTO categories (id, name, name_key, description, status, created_at) VALUES
  ('textbooks', 'Textbooks', 'textbooks', 'Set books, course texts and revision papers', 'approved', 0),
  ('electronics', 'Electronics', 'electronics', 'TVs, speakers, irons and everything with a plug', 'approved', 0),
  ('stationery', 'Stationery', 'stationery', 'Pens, notebooks, drawing sets and paper', 'approved', 0),
  ('study-materials', 'Study Materials', 'study materials', 'Notes, past papers and lab kit', 'approved', 0),
  ('fashion', 'Fashion', 'fashion', 'Clothes, caps and jewellery', 'approved', 0),
  ('gadgets', 'Gadgets', 'gadgets', 'Earphones, chargers, power banks and wearables', 'approved', 0),
  ('phones', 'Phones', 'phones', 'Phones and tablets, with covers and chargers', 'approved', 0),
  ('computers', 'Computers', 'computers', 'Laptops, desktops, printers and what belongs to them', 'approved', 0),
  ('calculators', 'Calculators', 'calculators', 'Scientific and financial calculators', 'approved', 0),
  ('shoes', 'Shoes', 'shoes', 'Sneakers, officials, heels, boots and slippers', 'approved', 0),
  ('bags', 'Bags', 'bags', 'Backpacks, handbags, suitcases and wallets', 'approved', 0),
  ('food', 'Food', 'food', 'Cakes, snacks, fruit and groceries', 'approved', 0),
  ('rooms', 'Hostels and Rooms', 'hostels and rooms', 'Rooms to rent and roommates', 'approved', 0),
  ('furniture', 'Furniture', 'furniture', 'Desks, beds and shelves for a bedsitter', 'approved', 0),
  ('kitchen', 'Kitchen', 'kitchen', 'Kettles, cookers, pans and plates', 'approved', 0),
  ('sports', 'Sports', 'sports', 'Kits, balls, bikes and gym gear', 'approved', 0),
  ('beauty', 'Beauty', 'beauty', 'Hair, skin and self-care', 'approved', 0),
  ('services', 'Services', 'services', 'Printing, tutoring, repairs and more', 'approved', 0),
  ('other', 'Other', 'other', 'Everything else', 'approved', 0);

INSERT INTO university_domains (domain, name, created_at) VALUES
  ('uonbi.ac.ke', 'University of Nairobi', 0),
  ('ku.ac.ke', 'Kenyatta University', 0),
  ('jkuat.ac.ke', 'Jomo Kenyatta University of Agriculture and Technology', 0),
  ('mu.ac.ke', 'Moi University', 0),
  ('egerton.ac.ke', 'Egerton University', 0),
  ('maseno.ac.ke', 'Maseno University', 0),
  ('mmust.ac.ke', 'Masinde Muliro University of Science and Technology', 0),
  ('tukenya.ac.ke', 'Technical University of Kenya', 0),
  ('tum.ac.ke', 'Technical University of Mombasa', 0),
  ('dkut.ac.ke', 'Dedan Kimathi University of Technology', 0),
  ('mut.ac.ke', 'Murang''a University of Technology', 0),
  ('must.ac.ke', 'Meru University of Science and Technology', 0),
  ('seku.ac.ke', 'South Eastern Kenya University', 0),
  ('pu.ac.ke', 'Pwani University', 0),
  ('laikipia.ac.ke', 'Laikipia University', 0),
  ('chuka.ac.ke', 'Chuka University', 0),
  ('kisiiuniversity.ac.ke', 'Kisii University', 0),
  ('karu.ac.ke', 'Karatina University', 0),
  ('uoeld.ac.ke', 'University of Eldoret', 0),
  ('embuni.ac.ke', 'University of Embu', 0),
  ('kyu.ac.ke', 'Kirinyaga University', 0),
  ('mmarau.ac.ke', 'Maasai Mara University', 0),
  ('rongovarsity.ac.ke', 'Rongo University', 0),
  ('ttu.ac.ke', 'Taita Taveta University', 0),
  ('gau.ac.ke', 'Garissa University', 0),
  ('cuk.ac.ke', 'Co-operative University of Kenya', 0),
  ('mksu.ac.ke', 'Machakos University', 0),
  ('kibu.ac.ke', 'Kibabii University', 0),
  ('jooust.ac.ke', 'Jaramogi Oginga Odinga University of Science and Technology', 0),
  ('mmu.ac.ke', 'Multimedia University of Kenya', 0),
  ('strathmore.edu', 'Strathmore University', 0),
  ('usiu.ac.ke', 'United States International University Africa', 0),
  ('daystar.ac.ke', 'Daystar University', 0),
  ('cuea.edu', 'Catholic University of Eastern Africa', 0),
  ('kabarak.ac.ke', 'Kabarak University', 0),
  ('mku.ac.ke', 'Mount Kenya University', 0),
  ('kemu.ac.ke', 'Kenya Methodist University', 0),
  ('anu.ac.ke', 'Africa Nazarene University', 0),
  ('spu.ac.ke', 'St. Paul''s University', 0),
  ('zetech.ac.ke', 'Zetech University', 0),
  ('riarauniversity.ac.ke', 'Riara University', 0),
  ('kcau.ac.ke', 'KCA University', 0),
  ('ueab.ac.ke', 'University of Eastern Africa, Baraton', 0),
  ('mua.ac.ke', 'Management University of Africa', 0),
  ('kafu.ac.ke', 'Kaimosi Friends University', 0),
  ('tharaka.ac.ke', 'Tharaka University', 0),
  ('tangaza.ac.ke', 'Tangaza University', 0),
  ('pacuniversity.ac.ke', 'Pan Africa Christian University', 0),
  ('umma.ac.ke', 'Umma University', 0),
  ('ouk.ac.ke', 'Open University of Kenya', 0);

-- Words that no listing may have. Phrases say what is meant: "ivory" alone would also hold an ivory dress.
INSERT INTO prohibited_terms (id, kind, term, created_at) VALUES
  (lower(hex(randomblob(16))), 'word', 'gun', 0),
  (lower(hex(randomblob(16))), 'word', 'pistol', 0),
  (lower(hex(randomblob(16))), 'word', 'rifle', 0),
  (lower(hex(randomblob(16))), 'word', 'ammunition', 0),
  (lower(hex(randomblob(16))), 'word', 'bhang', 0),
  (lower(hex(randomblob(16))), 'word', 'weed', 0),
  (lower(hex(randomblob(16))), 'word', 'marijuana', 0),
  (lower(hex(randomblob(16))), 'word', 'cannabis', 0),
  (lower(hex(randomblob(16))), 'word', 'cocaine', 0),
  (lower(hex(randomblob(16))), 'word', 'heroin', 0),
  (lower(hex(randomblob(16))), 'word', 'tramadol', 0),
  (lower(hex(randomblob(16))), 'word', 'codeine', 0),
  (lower(hex(randomblob(16))), 'word', 'chang''aa', 0),
  (lower(hex(randomblob(16))), 'word', 'busaa', 0),
  (lower(hex(randomblob(16))), 'word', 'leaked exam', 0),
  (lower(hex(randomblob(16))), 'word', 'exam leakage', 0),
  (lower(hex(randomblob(16))), 'word', 'fake id', 0),
  (lower(hex(randomblob(16))), 'word', 'fake certificate', 0),
  (lower(hex(randomblob(16))), 'word', 'fake degree', 0),
  (lower(hex(randomblob(16))), 'word', 'counterfeit', 0),
  (lower(hex(randomblob(16))), 'word', 'rhino horn', 0),
  (lower(hex(randomblob(16))), 'word', 'stolen', 0),
  (lower(hex(randomblob(16))), 'word', 'live bullet', 0),
  (lower(hex(randomblob(16))), 'word', 'hand grenade', 0),
  (lower(hex(randomblob(16))), 'word', 'tear gas', 0),
  (lower(hex(randomblob(16))), 'word', 'taser', 0),
  (lower(hex(randomblob(16))), 'word', 'crystal meth', 0),
  (lower(hex(randomblob(16))), 'word', 'methamphetamine', 0),
  (lower(hex(randomblob(16))), 'word', 'lsd', 0),
  (lower(hex(randomblob(16))), 'word', 'ecstasy pill', 0),
  (lower(hex(randomblob(16))), 'word', 'shash', 0),
  (lower(hex(randomblob(16))), 'word', 'shisha', 0),
  (lower(hex(randomblob(16))), 'word', 'misoprostol', 0),
  (lower(hex(randomblob(16))), 'word', 'mifepristone', 0),
  (lower(hex(randomblob(16))), 'word', 'abortion pill', 0),
  (lower(hex(randomblob(16))), 'word', 'muratina', 0),
  (lower(hex(randomblob(16))), 'word', 'leaked paper', 0),
  (lower(hex(randomblob(16))), 'word', 'leaked kcse', 0),
  (lower(hex(randomblob(16))), 'word', 'kcse leakage', 0),
  (lower(hex(randomblob(16))), 'word', 'mwakenya', 0),
  (lower(hex(randomblob(16))), 'word', 'fake money', 0),
  (lower(hex(randomblob(16))), 'word', 'fake note', 0),
  (lower(hex(randomblob(16))), 'word', 'fake kcse', 0),
  (lower(hex(randomblob(16))), 'word', 'fake transcript', 0),
  (lower(hex(randomblob(16))), 'word', 'fake licence', 0),
  (lower(hex(randomblob(16))), 'word', 'fake license', 0),
  (lower(hex(randomblob(16))), 'word', 'fake passport', 0),
  (lower(hex(randomblob(16))), 'word', 'fake receipt', 0),
  (lower(hex(randomblob(16))), 'word', 'forged', 0),
  (lower(hex(randomblob(16))), 'word', 'elephant ivory', 0),
  (lower(hex(randomblob(16))), 'word', 'ivory tusk', 0),
  (lower(hex(randomblob(16))), 'word', 'elephant tusk', 0),
  (lower(hex(randomblob(16))), 'word', 'pangolin', 0),
  (lower(hex(randomblob(16))), 'word', 'registered sim', 0),
  (lower(hex(randomblob(16))), 'word', 'registered line', 0),
  (lower(hex(randomblob(16))), 'word', 'cloned card', 0),
  (lower(hex(randomblob(16))), 'word', 'hacked account', 0),
  (lower(hex(randomblob(16))), 'word', 'fixed match', 0),
  (lower(hex(randomblob(16))), 'word', 'selling nudes', 0),
  (lower(hex(randomblob(16))), 'word', 'human kidney', 0),
  (lower(hex(randomblob(16))), 'word', 'bangi', 0);

-- What universities forbid: work that somebody else does, and rooms of halls that are sold on. Cookers are in no list:
-- halls forbid them in rooms, and nobody else does.
INSERT INTO prohibited_terms (id, kind, term, created_at) VALUES
  (lower(hex(randomblob(16))), 'word', 'do your assignment', 0),
  (lower(hex(randomblob(16))), 'word', 'i do assignment', 0),
  (lower(hex(randomblob(16))), 'word', 'we do assignment', 0),
  (lower(hex(randomblob(16))), 'word', 'me to do your assignment', 0),
  (lower(hex(randomblob(16))), 'word', 'assignment done for you', 0),
  (lower(hex(randomblob(16))), 'word', 'assignment writing', 0),
  (lower(hex(randomblob(16))), 'word', 'nafanya assignment', 0),
  (lower(hex(randomblob(16))), 'word', 'tunafanya assignment', 0),
  (lower(hex(randomblob(16))), 'word', 'nakufanyia assignment', 0),
  (lower(hex(randomblob(16))), 'word', 'thesis writing', 0),
  (lower(hex(randomblob(16))), 'word', 'thesis writer', 0),
  (lower(hex(randomblob(16))), 'word', 'write your thesis', 0),
  (lower(hex(randomblob(16))), 'word', 'dissertation writing', 0),
  (lower(hex(randomblob(16))), 'word', 'dissertation writer', 0),
  (lower(hex(randomblob(16))), 'word', 'write your dissertation', 0),
  (lower(hex(randomblob(16))), 'word', 'essay writing service', 0),
  (lower(hex(randomblob(16))), 'word', 'essay writer', 0),
  (lower(hex(randomblob(16))), 'word', 'write your essay', 0),
  (lower(hex(randomblob(16))), 'word', 'write your project', 0),
  (lower(hex(randomblob(16))), 'word', 'project writing service', 0),
  (lower(hex(randomblob(16))), 'word', 'write your proposal', 0),
  (lower(hex(randomblob(16))), 'word', 'proposal writing service', 0),
  (lower(hex(randomblob(16))), 'word', 'do your cat', 0),
  (lower(hex(randomblob(16))), 'word', 'do your quiz', 0),
  (lower(hex(randomblob(16))), 'word', 'cats done for you', 0),
  (lower(hex(randomblob(16))), 'word', 'i do your exam', 0),
  (lower(hex(randomblob(16))), 'word', 'we do your exam', 0),
  (lower(hex(randomblob(16))), 'word', 'do your exam for you', 0),
  (lower(hex(randomblob(16))), 'word', 'sit your exam for you', 0),
  (lower(hex(randomblob(16))), 'word', 'take your exam for you', 0),
  (lower(hex(randomblob(16))), 'word', 'exam done for you', 0),
  (lower(hex(randomblob(16))), 'word', 'exam impersonation', 0),
  (lower(hex(randomblob(16))), 'word', 'do your online class', 0),
  (lower(hex(randomblob(16))), 'word', 'take your online class for you', 0),
  (lower(hex(randomblob(16))), 'word', 'online class done for you', 0),
  (lower(hex(randomblob(16))), 'word', 'exam leak', 0),
  (lower(hex(randomblob(16))), 'word', 'leaked question', 0),
  (lower(hex(randomblob(16))), 'word', 'leaked marking scheme', 0),
  (lower(hex(randomblob(16))), 'word', 'leaked cat', 0),
  (lower(hex(randomblob(16))), 'word', 'bypass turnitin', 0),
  (lower(hex(randomblob(16))), 'word', 'turnitin bypass', 0),
  (lower(hex(randomblob(16))), 'word', 'remove plagiarism', 0),
  (lower(hex(randomblob(16))), 'word', 'plagiarism removal', 0),
  (lower(hex(randomblob(16))), 'word', 'change your mark', 0),
  (lower(hex(randomblob(16))), 'word', 'change your grade', 0),
  (lower(hex(randomblob(16))), 'word', 'alter your mark', 0),
  (lower(hex(randomblob(16))), 'word', 'upgrade your mark', 0),
  (lower(hex(randomblob(16))), 'word', 'invisible earpiece', 0),
  (lower(hex(randomblob(16))), 'word', 'spy earpiece', 0),
  (lower(hex(randomblob(16))), 'word', 'exam earpiece', 0),
  (lower(hex(randomblob(16))), 'word', 'hall room for sale', 0),
  (lower(hex(randomblob(16))), 'word', 'selling hall room', 0),
  (lower(hex(randomblob(16))), 'word', 'selling my hall room', 0),
  (lower(hex(randomblob(16))), 'word', 'hall space', 0),
  (lower(hex(randomblob(16))), 'word', 'hall slot', 0),
  (lower(hex(randomblob(16))), 'word', 'hostel slot', 0),
  (lower(hex(randomblob(16))), 'word', 'hostel space for sale', 0),
  (lower(hex(randomblob(16))), 'word', 'selling hostel space', 0),
  (lower(hex(randomblob(16))), 'word', 'selling my hostel space', 0),
  (lower(hex(randomblob(16))), 'word', 'school hostel space', 0),
  (lower(hex(randomblob(16))), 'word', 'campus hostel space', 0),
  (lower(hex(randomblob(16))), 'word', 'hostel room for sale', 0),
  (lower(hex(randomblob(16))), 'word', 'hostel room allocation', 0);

-- Phrases that are fine although they contain a prohibited word.
INSERT INTO prohibited_terms (id, kind, term, created_at) VALUES
  (lower(hex(randomblob(16))), 'allowed', 'glue gun', 0),
  (lower(hex(randomblob(16))), 'allowed', 'massage gun', 0),
  (lower(hex(randomblob(16))), 'allowed', 'heat gun', 0),
  (lower(hex(randomblob(16))), 'allowed', 'nail gun', 0),
  (lower(hex(randomblob(16))), 'allowed', 'spray gun', 0),
  (lower(hex(randomblob(16))), 'allowed', 'water gun', 0),
  (lower(hex(randomblob(16))), 'allowed', 'toy gun', 0),
  (lower(hex(randomblob(16))), 'allowed', 'nerf gun', 0),
  (lower(hex(randomblob(16))), 'allowed', 'bubble gun', 0),
  (lower(hex(randomblob(16))), 'allowed', 'sealant gun', 0),
  (lower(hex(randomblob(16))), 'allowed', 'silicone gun', 0),
  (lower(hex(randomblob(16))), 'allowed', 'caulking gun', 0),
  (lower(hex(randomblob(16))), 'allowed', 'staple gun', 0),
  (lower(hex(randomblob(16))), 'allowed', 'grease gun', 0),
  (lower(hex(randomblob(16))), 'allowed', 'price gun', 0),
  (lower(hex(randomblob(16))), 'allowed', 'label gun', 0),
  (lower(hex(randomblob(16))), 'allowed', 'tattoo gun', 0),
  (lower(hex(randomblob(16))), 'allowed', 'temperature gun', 0),
  (lower(hex(randomblob(16))), 'allowed', 'thermometer gun', 0),
  (lower(hex(randomblob(16))), 'allowed', 'soldering gun', 0),
  (lower(hex(randomblob(16))), 'allowed', 'gun metal', 0),
  (lower(hex(randomblob(16))), 'allowed', 'gun grey', 0),
  (lower(hex(randomblob(16))), 'allowed', 'machine gun kelly', 0),
  (lower(hex(randomblob(16))), 'allowed', 'water pistol', 0),
  (lower(hex(randomblob(16))), 'allowed', 'weed killer', 0),
  (lower(hex(randomblob(16))), 'allowed', 'weed control', 0),
  (lower(hex(randomblob(16))), 'allowed', 'weed eater', 0),
  (lower(hex(randomblob(16))), 'allowed', 'weed cutter', 0),
  (lower(hex(randomblob(16))), 'allowed', 'weed trimmer', 0),
  (lower(hex(randomblob(16))), 'allowed', 'weed puller', 0),
  (lower(hex(randomblob(16))), 'allowed', 'weed mat', 0),
  (lower(hex(randomblob(16))), 'allowed', 'kill weed', 0),
  (lower(hex(randomblob(16))), 'allowed', 'remove weed', 0),
  (lower(hex(randomblob(16))), 'allowed', 'control weed', 0),
  (lower(hex(randomblob(16))), 'allowed', 'counterfeit detector', 0),
  (lower(hex(randomblob(16))), 'allowed', 'counterfeit money detector', 0),
  (lower(hex(randomblob(16))), 'allowed', 'counterfeit note detector', 0),
  (lower(hex(randomblob(16))), 'allowed', 'not counterfeit', 0),
  (lower(hex(randomblob(16))), 'allowed', 'not stolen', 0),
  (lower(hex(randomblob(16))), 'allowed', 'never stolen', 0),
  (lower(hex(randomblob(16))), 'allowed', 'if stolen', 0),
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
  (lower(hex(randomblob(16))), 'allowed', 'weed remover', 0),
  (lower(hex(randomblob(16))), 'allowed', 'to do your assignment', 0),
  (lower(hex(randomblob(16))), 'allowed', 'you do your assignment', 0),
  (lower(hex(randomblob(16))), 'allowed', 'how to write your thesis', 0),
  (lower(hex(randomblob(16))), 'allowed', 'how to write your dissertation', 0),
  (lower(hex(randomblob(16))), 'allowed', 'how to write your essay', 0),
  (lower(hex(randomblob(16))), 'allowed', 'how to write your project', 0),
  (lower(hex(randomblob(16))), 'allowed', 'how to write your proposal', 0),
  (lower(hex(randomblob(16))), 'allowed', 'thesis writing guide', 0),
  (lower(hex(randomblob(16))), 'allowed', 'thesis writing book', 0),
  (lower(hex(randomblob(16))), 'allowed', 'thesis writing handbook', 0),
  (lower(hex(randomblob(16))), 'allowed', 'dissertation writing guide', 0),
  (lower(hex(randomblob(16))), 'allowed', 'dissertation writing book', 0),
  (lower(hex(randomblob(16))), 'allowed', 'dissertation writing handbook', 0),
  (lower(hex(randomblob(16))), 'allowed', 'to do your cat', 0),
  (lower(hex(randomblob(16))), 'allowed', 'you do your cat', 0),
  (lower(hex(randomblob(16))), 'allowed', 'to do your quiz', 0),
  (lower(hex(randomblob(16))), 'allowed', 'you do your quiz', 0),
  (lower(hex(randomblob(16))), 'allowed', 'to do your online class', 0),
  (lower(hex(randomblob(16))), 'allowed', 'you do your online class', 0),
  (lower(hex(randomblob(16))), 'allowed', 'you write your thesis', 0),
  (lower(hex(randomblob(16))), 'allowed', 'you write your dissertation', 0),
  (lower(hex(randomblob(16))), 'allowed', 'you write your essay', 0),
  (lower(hex(randomblob(16))), 'allowed', 'you write your project', 0),
  (lower(hex(randomblob(16))), 'allowed', 'to write your thesis', 0),
  (lower(hex(randomblob(16))), 'allowed', 'to write your dissertation', 0),
  (lower(hex(randomblob(16))), 'allowed', 'to write your essay', 0),
  (lower(hex(randomblob(16))), 'allowed', 'to write your project', 0);

