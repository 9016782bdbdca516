package dev.hearth.spi.storage;

import java.io.IOException;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.osgi.annotation.versioning.ConsumerType;

/**
 * Store of the files with one URI scheme, opened for one application in one process.
 * <p>Contract: an operation that returns has taken effect for all processes that use the storage. An
 * {@link IOException} says in words what the storage answered; callers add the name of the file. A missing file is a
 * {@link java.nio.file.NoSuchFileException}, an existing one a {@link java.nio.file.FileAlreadyExistsException}, a
 * refused one an {@link java.nio.file.AccessDeniedException}. The engine retries the tasks of a failed operation, so a
 * store only repeats its own requests to the storage. Operations may block. Thread-safe.
 */
@ConsumerType
public interface FileStore extends AutoCloseable {
    /** Guarantees of this store. The engine refuses operations that need more. */
    Set<StoreTrait> traits();

    /** Looks at a file or directory. Empty if it does not exist. */
    Optional<FileEntry> look(FileName file) throws IOException;

    /**
     * Lists the files and directories in a directory, in any order, without those below them. The iterator may request
     * further entries while it advances, and then throws {@link java.io.UncheckedIOException}. An entry that vanishes
     * during the listing is left out or has the kind {@link FileEntry.Kind#MISSING}.
     */
    Iterator<FileEntry> list(FileName directory) throws IOException;

    /** Opens a file for reading, from byte {@code from} on. An offset after the end yields an input without bytes. */
    StoreInput read(FileName file, long from) throws IOException;

    /**
     * The blocks that store the bytes between {@code from} and {@code until} of a file, with their hosts, in the order
     * of their offsets. Tasks then prefer these hosts. Empty if the store does not know.
     */
    default List<FileBlock> blocks(FileName file, long from, long until) throws IOException {
        return List.of();
    }

    /**
     * Creates a file. Fails if its directory does not exist, or if something has that name already, unless
     * {@code replace}. The content becomes durable when the output is closed.
     */
    StoreOutput create(FileName file, boolean replace) throws IOException;

    /**
     * Creates a directory. With {@code mustBeNew} the directory above must exist and nothing may have the name; of
     * several callers, also in other processes, one succeeds. Without it, missing directories above are created too,
     * and an existing directory is accepted.
     */
    void directory(FileName name, boolean mustBeNew) throws IOException;

    /**
     * Renames a file, which appears under its new name whole or not at all. Returns false if something has the new name
     * already, unless {@code replace}. {@link StoreTrait#ATOMIC_RENAME} and {@link StoreTrait#COPYING_RENAME} say what
     * a failure leaves.
     */
    boolean rename(FileName from, FileName to, boolean replace) throws IOException;

    /**
     * Removes a file or an empty directory; with {@code tree}, a directory with everything in it. Does nothing if there
     * is none of that name.
     */
    void remove(FileName name, boolean tree) throws IOException;

    /** Sets who may access a file. Stores without {@link StoreTrait#PERMISSIONS} ignore the call. */
    default void permit(FileName file, Set<PosixFilePermission> permissions) throws IOException {
        // ignored by stores without permissions
    }

    /** The name of a directory without symbolic links. Stores without links return the given name. */
    default FileName real(FileName directory) throws IOException {
        return directory;
    }

    /** Closes the store at the end of its application. Open inputs and outputs may fail from now on. */
    @Override
    void close() throws IOException;
}
