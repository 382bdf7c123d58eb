import { createContext } from "react";
import type { AdminRole } from "#app/db/states/admin.ts";

/** The admin who looks at an admin page. */
export const AdminContext = createContext<{ id: string; role: AdminRole }>({ id: "", role: "support" });
