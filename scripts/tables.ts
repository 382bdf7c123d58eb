/** The tables of all folders, for what goes through every one of them. */
export * from "#app/accounts/tables.server.ts";
export * from "#app/admin/tables.server.ts";
export * from "#app/basket/tables.server.ts";
export * from "#app/catalogue/tables.server.ts";
export * from "#app/db/tables.server.ts";
export * from "#app/deals/tables.server.ts";
export * from "#app/messaging/tables.server.ts";
export * from "#app/moderation/tables.server.ts";
export * from "#app/notifications/tables.server.ts";
export * from "#app/orders/tables.server.ts";
export * from "#app/payments/tables.server.ts";
export * from "#app/reviews/tables.server.ts";
export * from "#app/shops/tables.server.ts";
export * from "#app/team/tables.server.ts";
export * from "#app/upkeep/tables.server.ts";
