/** State outside React for several components. It stays while they mount and unmount. */

/** Functions that are called until they are removed. */
export interface Listeners<T> {
  /** Returns a function that removes the listener. */
  add(listener: (value: T) => void): () => void;
  /** Calls every listener. */
  tell(value: T): void;
}

/** A value that calls its listeners whenever it changes. */
export interface Store<T> {
  get(): T;
  /** Does nothing if the value is the same. */
  set(value: T): void;
  /** For useSyncExternalStore. Returns a function that removes the listener. */
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
