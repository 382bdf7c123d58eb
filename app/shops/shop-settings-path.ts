/** The page of a shop's settings, which other screens show in a dialog. Its forms are sent there, too. */
export const SHOP_SETTINGS_PATH = "/myshop/settings";
