package dev.hearth.engine.internal.disk;

import java.nio.file.Path;

/** Directories in which an application stores files under fixed names. Any thread may call. */
public interface ApplicationDirectories extends AutoCloseable {
    /** Path of the directory {@code name}, created if necessary. Fails after {@link #close}. */
    Path directory(String name);

    /** Deletes all directories of the application. */
    @Override
    void close();
}
