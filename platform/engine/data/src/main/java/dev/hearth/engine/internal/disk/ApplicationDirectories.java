package dev.hearth.engine.internal.disk;

import java.nio.file.Path;

/**
 * Directories in which an application stores files under fixed names, for example {@code code}. Any thread may call.
 */
public interface ApplicationDirectories extends AutoCloseable {
    /** The path of the directory {@code name}, which is created if it is missing. Fails after {@link #close}. */
    Path directory(String name);

    /** Deletes all directories that {@link #directory} has created for the application. */
    @Override
    void close();
}
