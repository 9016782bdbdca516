package dev.hearth.engine.internal.disk;

import java.nio.file.Path;

/** Where the files of an application lie that stand under names of their own. Any thread may call. */
public interface ApplicationDirectories extends AutoCloseable {
    /** The directory {@code name} within, which is there; refused once this was closed. */
    Path directory(String name);

    /** Has all of it go. */
    @Override
    void close();
}
