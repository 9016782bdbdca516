package dev.hearth.yarn.internal.store;

/**
 * File or directory of a {@link StoreFiles}: its name without its directory, its size, the time of its last change in
 * milliseconds since 1970, and its permissions as in {@code chmod}. Immutable.
 */
public record StoredFile(String name, long bytes, long changedMillis, boolean directory, int permissions) {}
