import { later } from "#app/ui/later.tsx";

const dialogs = () => import("./shop-dialogs.tsx");

/** The buttons of My Shop that open dialogs. Their script loads when somebody is about to press one. */
export const AddProductButton = later(async () => (await dialogs()).AddProductButton);
export const CustomizeShopButton = later(async () => (await dialogs()).CustomizeShopButton);
