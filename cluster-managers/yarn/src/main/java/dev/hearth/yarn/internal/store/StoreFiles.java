package dev.hearth.yarn.internal.store;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Optional;

/** Files of one Hadoop file system, by absolute paths. What the store needs of it, and no more. Methods block. */
public interface StoreFiles {
    /** Supplier of the bytes of a file, once for each attempt to write it. */
    @FunctionalInterface
    interface Source {
        InputStream open() throws IOException;
    }

    Optional<StoredFile> look(String path) throws IOException;

    /** The files and directories in {@code directory}; empty if it does not exist. */
    List<StoredFile> list(String directory) throws IOException;

    /** Creates {@code directory} and its parents; existing ones stay as they are. */
    void directory(String directory, int permissions) throws IOException;

    /**
     * Writes the file {@code path} with {@code replication} replicas, 0 for those of the file system. Fails with {@link
     * java.nio.file.FileAlreadyExistsException} if there is one.
     */
    void write(String path, int permissions, int replication, Source source) throws IOException;

    /** Reads a small file; empty if it does not exist. */
    Optional<String> read(String path) throws IOException;

    /** Gives the file another name; returns false if that name is taken. */
    boolean rename(String from, String to) throws IOException;

    /** Removes a file, or a directory with all that is in it; without effect if it does not exist. */
    void remove(String path) throws IOException;

    /** The address of {@code path} for NodeManagers. */
    String address(String path);
}
