package dev.hearth.engine.internal.disk;

import java.nio.file.Path;

/** The directories for named files of an application. Any thread may call. */
public interface ApplicationDirectories extends AutoCloseable {
    /** The directory {@code name}, which exists. Fails once this is closed. */
    Path directory(String name);

    /** Deletes all directories. */
    @Override
    void close();
}
