import { createContext } from "react";
import type { AdminRole } from "#app/db/states/admin.ts";

/** The role of the admin who looks at an admin page. */
export const AdminRoleContext = createContext<AdminRole>("support");
