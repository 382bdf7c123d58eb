/**
 * Puts photos in order by dragging them, with a mouse or a finger. A chunk of its own, which the form fetches when
 * there is a photo: until then, and without scripts, the arrow keys and each photo's menu do the same.
 */
import { closestCenter, DndContext, MouseSensor, TouchSensor, useSensor, useSensors } from "@dnd-kit/core";
import { rectSortingStrategy, SortableContext, useSortable } from "@dnd-kit/sortable";
import type { ReactNode } from "react";
import { classNames } from "#app/ui/class-names.ts";

/** A mouse that moves less than this is a click, px. */
const CLICK_PX = 6;
/** A finger that rests this long drags, ms. One that moves earlier scrolls the page. */
const HOLD_MS = 220;
const HOLD_PX = 8;

interface PhotoSortingProps {
  ids: string[];
  /** Called once a photo has been dropped in the place of another. */
  onMove: (id: string, to: number) => void;
  /** SortableTiles. */
  children: ReactNode;
}

/** Around the tiles of a list. Adds no element to it. */
export function PhotoSorting({ ids, onMove, children }: PhotoSortingProps) {
  const sensors = useSensors(
    useSensor(MouseSensor, { activationConstraint: { distance: CLICK_PX } }),
    useSensor(TouchSensor, { activationConstraint: { delay: HOLD_MS, tolerance: HOLD_PX } }),
  );
  return (
    <DndContext
      id="photos"
      sensors={sensors}
      collisionDetection={closestCenter}
      // The form itself says where a photo has gone.
      accessibility={{ container: document.body, announcements: SILENT, screenReaderInstructions: { draggable: "" } }}
      onDragStart={() => addEventListener("click", refuse, true)}
      onDragCancel={allowClicks}
      onDragEnd={({ active, over }) => {
        allowClicks();
        if (over && over.id !== active.id) onMove(String(active.id), ids.indexOf(String(over.id)));
      }}
    >
      <SortableContext items={ids} strategy={rectSortingStrategy}>
        {children}
      </SortableContext>
    </DndContext>
  );
}

export function SortableTile({ id, children }: { id: string; children: ReactNode }) {
  const { listeners, setNodeRef, transform, transition, isDragging } = useSortable({ id });
  return (
    <li
      ref={setNodeRef}
      className={classNames("photo-tile photo-tile--sortable", isDragging && "photo-tile--dragged")}
      style={{ transform: transform ? `translate3d(${transform.x}px, ${transform.y}px, 0)` : undefined, transition }}
      {...listeners}
    >
      {children}
    </li>
  );
}

const silent = () => undefined;
const SILENT = { onDragStart: silent, onDragOver: silent, onDragEnd: silent, onDragCancel: silent };

/** The click that ends a drag must not open the photo's menu. */
function refuse(event: Event): void {
  event.preventDefault();
  event.stopPropagation();
}

/** Once that click has come. */
function allowClicks(): void {
  setTimeout(() => removeEventListener("click", refuse, true));
}
