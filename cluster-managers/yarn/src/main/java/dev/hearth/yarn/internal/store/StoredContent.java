package dev.hearth.yarn.internal.store;

import dev.hearth.spi.stream.ContentId;

/** Content in the store, where NodeManagers find it; {@code uploaded} are the bytes that were sent for it. Immutable. */
public record StoredContent(
        ContentId content, String path, String address, long bytes, long changedMillis, long uploaded) {}
