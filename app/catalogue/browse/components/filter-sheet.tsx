import { Dialog } from "#app/ui/layers/dialog.tsx";
import { FilterForm, type FilterFormProps } from "./filter-form.tsx";

interface FilterSheetProps extends FilterFormProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** The filters over the page, on a phone as a sheet. */
export function FilterSheet({ open, onOpenChange, ...form }: FilterSheetProps) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title="Filters">
      <FilterForm {...form} onDone={() => onOpenChange(false)} />
    </Dialog>
  );
}
