/** State outside React that several components show: it lives on while they come and go. */

/** Functions that hear of something, each until it is taken off. */
export interface Listeners<T> {
  /** Returns what takes the listener off. */
  add(listener: (value: T) => void): () => void;
  /** Calls every listener. */
  tell(value: T): void;
}

/** A value that its listeners are told of whenever it changes. */
export interface Store<T> {
  get(): T;
  /** Does nothing where the value is the same. */
  set(value: T): void;
  /** For useSyncExternalStore. Returns what takes the listener off. */
  subscribe(listener: (value: T) => void): () => void;
}

export function createListeners<T>(): Listeners<T> {
  const listeners = new Set<(value: T) => void>();
  return {
    add(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    tell(value) {
      for (const listener of listeners) listener(value);
    },
  };
}

export function createStore<T>(value: T): Store<T> {
  const { add, tell } = createListeners<T>();
  return {
    get: () => value,
    set(next) {
      if (next === value) return;
      value = next;
      tell(next);
    },
    subscribe: add,
  };
}
