package dev.hearth.engine.internal.attachments;

import dev.hearth.engine.internal.disk.DirectoryTrees;
import dev.hearth.engine.internal.io.LocalFileStore;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.storage.ApplicationStores;
import dev.hearth.spi.storage.FileEntry;
import dev.hearth.spi.storage.FileName;
import dev.hearth.spi.storage.FileStore;
import dev.hearth.spi.storage.StoreInput;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * File or directory that an application adds, as a local path: itself, or a copy that was fetched from its store. The
 * copy is removed by {@link #close}. Owned by one thread.
 */
final class AttachmentSource implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(AttachmentSource.class);

    private final Path path;
    private final String name;
    private final boolean isCopy;

    private AttachmentSource(Path path, String name, boolean isCopy) {
        this.path = path;
        this.name = name;
        this.isCopy = isCopy;
    }

    /**
     * Finds the file that {@code text} names, and fetches it if it is not local. {@code subject} begins the texts of
     * failures. {@code copy} supplies the path for the copy, which does not exist yet.
     */
    static AttachmentSource open(String subject, String text, ApplicationStores stores, Supplier<Path> copy) {
        FileName file = FileName.resolve(text); // as in Spark, paths of files to send are local ones
        return file.isLocal() ? local(subject, file) : fetched(subject, file, stores.of(file), copy.get());
    }

    /** Finds a file as {@link #open} does, and fails if it is a directory. */
    static AttachmentSource openFile(String subject, String text, ApplicationStores stores, Supplier<Path> copy) {
        AttachmentSource source = open(subject, text, stores, copy);
        if (source.isDirectory()) {
            source.close();
            throw ErrorCode.BAD_ARGUMENT.failure(subject + ": a directory (expected: a file)");
        }
        return source;
    }

    /** The last segment of the name of {@code file}; empty if there is none. */
    static String name(FileName file) {
        if (!file.isLocal()) {
            return file.name();
        }
        Path last = LocalFileStore.path(file).normalize().getFileName();
        return last == null ? "" : last.toString();
    }

    private static AttachmentSource local(String subject, FileName file) {
        Path path = LocalFileStore.path(file);
        if (!Files.isReadable(path)) {
            throw ErrorCode.PATH_MISSING.failure(subject + ": "
                    + (Files.exists(path) ? "may not be read by this process" : "no such file or directory")
                    + " (expected: a readable file or directory; a relative path starts at "
                    + Path.of("").toAbsolutePath() + ")");
        }
        return new AttachmentSource(path, name(file), false);
    }

    private static AttachmentSource fetched(String subject, FileName file, FileStore store, Path copy) {
        AttachmentSource source = new AttachmentSource(copy, file.name(), true);
        try {
            FileEntry entry = store.look(file)
                    .orElseThrow(() -> ErrorCode.PATH_MISSING.failure(
                            subject + ": no such file or directory (expected: a readable file or directory)"));
            fetch(store, entry, copy);
            return source;
        } catch (IOException | UncheckedIOException failure) {
            source.close();
            throw ErrorCode.DISK_FAILED.failure(
                    subject + ": cannot be fetched, " + failure + " (expected: a readable file, and free space for"
                            + " its copy)",
                    failure);
        }
    }

    private static void fetch(FileStore store, FileEntry from, Path to) throws IOException {
        if (!from.isDirectory()) {
            try (StoreInput in = store.read(from.name(), 0)) {
                Files.copy(in, to);
            }
            return;
        }
        Files.createDirectory(to);
        for (Iterator<FileEntry> children = store.list(from.name()); children.hasNext(); ) {
            FileEntry child = children.next();
            fetch(store, child, to.resolve(child.name().name()));
        }
    }

    Path path() {
        return path;
    }

    /** The last segment of the name under which users know the file. */
    String name() {
        return name;
    }

    boolean isDirectory() {
        return Files.isDirectory(path);
    }

    @Override
    public void close() {
        if (isCopy) {
            try {
                DirectoryTrees.delete(path);
            } catch (IOException failure) { // deleted with the directory of the application
                LOG.debug("attached file {}: its copy remains until the application ends", path, failure);
            }
        }
    }
}
