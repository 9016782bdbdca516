package dev.hearth.submission.api;

import dev.hearth.api.HearthException;
import dev.hearth.spi.cluster.SubmissionResource;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.storage.FileEntry;
import dev.hearth.spi.storage.FileName;
import dev.hearth.spi.storage.FileStore;
import dev.hearth.spi.storage.FileStoreRegistry;
import dev.hearth.spi.storage.PinnedStores;
import dev.hearth.spi.storage.StoreContext;
import dev.hearth.spi.storage.StoreException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Fetches resources of one application from file stores into a directory of this process, each address once. Used by
 * one thread, except for {@link #cancel}. {@link #close} closes the stores and deletes the fetched files.
 */
final class ResourceFetcher implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ResourceFetcher.class);
    private static final int BUFFER_BYTES = 64 * 1024;

    private final FileStoreRegistry registry;
    private final StoreContext application;
    private final Path temporary;
    private final Map<String, OpenStore> stores = new LinkedHashMap<>(); // guarded by this
    private boolean cancelled; // guarded by this
    private final Map<URI, Path> fetched = new LinkedHashMap<>();
    private Optional<Path> directory = Optional.empty();

    /**
     * {@code name} is the display name of the application, {@code settings} are its settings, and {@code temporary} is
     * the directory in which the fetched files get one of their own.
     */
    ResourceFetcher(FileStoreRegistry registry, String name, Settings settings, Path temporary) {
        this.temporary = temporary;
        this.registry = registry;
        this.application = new Application(name, settings);
    }

    /** The application for which stores are opened. */
    private record Application(String application, Settings settings) implements StoreContext {}

    /** Store of one scheme, with the pin that keeps its bundle. */
    private record OpenStore(PinnedStores pin, FileStore store) {}

    /**
     * Returns the local copy of a resource, which keeps its file name. Fails with {@code BAD_ARGUMENT} if no store serves
     * its scheme, with {@code PATH_MISSING} if there is no such file, with {@code FILE_DAMAGED} if it changes on the way
     * or arrives in part, and with {@code DISK_FAILED} if the copy cannot be written.
     */
    Path fetch(SubmissionResource resource) {
        Path known = fetched.get(resource.address());
        if (known != null) {
            return known;
        }
        String subject = ResourceSchemes.subject(resource);
        FileName file = FileName.parse(resource.address().toString());
        FileStore store = store(subject, resource.scheme());
        Path target = target(subject, resource);
        try {
            FileEntry before = look(subject, store, file);
            copy(subject, store, file, before.length(), target);
            FileEntry after = look(subject, store, file);
            if (after.length() != before.length() || after.changedMillis() != before.changedMillis()) {
                throw changed(subject);
            }
        } catch (NoSuchFileException gone) {
            throw missing(subject, gone);
        } catch (StoreException failure) {
            throw unreadable(subject, failure, failure.advice());
        } catch (IOException | UncheckedIOException failure) {
            throw unreadable(subject, failure, "try again, or copy the file to this machine");
        }
        fetched.put(resource.address(), target);
        LOG.info("{}: fetched", subject);
        return target;
    }

    private static HearthException unreadable(String subject, Exception failure, String advice) {
        return ErrorCode.PATH_MISSING.failure(
                subject + ": cannot be read, " + failure.getMessage() + " (expected: a readable file); " + advice,
                failure);
    }

    private static FileEntry look(String subject, FileStore store, FileName file) throws IOException {
        FileEntry found = store.look(file).orElseThrow(() -> missing(subject, null));
        if (!found.isFile()) {
            throw ErrorCode.BAD_ARGUMENT.failure(
                    subject + ": a directory (expected: a file); pack the directory into an archive");
        }
        return found;
    }

    /** Copies a file that is known to have {@code length} bytes, and reads no more than these. */
    private void copy(String subject, FileStore store, FileName file, long length, Path target) throws IOException {
        byte[] buffer = new byte[BUFFER_BYTES];
        long copied = 0;
        try (InputStream in = store.read(file, 0);
                OutputStream out = create(subject, target)) {
            for (int read = in.read(buffer); read >= 0 && copied <= length; read = in.read(buffer)) {
                write(subject, out, buffer, read);
                copied += read;
            }
        }
        if (copied != length) {
            throw changed(subject);
        }
    }

    private OutputStream create(String subject, Path target) {
        try {
            return Files.newOutputStream(target);
        } catch (IOException failure) {
            throw unwritable(subject, failure);
        }
    }

    private void write(String subject, OutputStream out, byte[] buffer, int bytes) {
        try {
            out.write(buffer, 0, bytes);
        } catch (IOException failure) {
            throw unwritable(subject, failure);
        }
    }

    private FileStore store(String subject, String scheme) {
        OpenStore open = find(scheme);
        if (open == null) {
            PinnedStores pin;
            try {
                pin = registry.pin(scheme, "application " + application.application());
            } catch (HearthException none) {
                throw ErrorCode.BAD_ARGUMENT.failure(subject + ": " + none.getMessage(), none);
            }
            open = new OpenStore(pin, pin.stores().open(scheme, application));
            add(scheme, open);
        }
        return open.store();
    }

    private synchronized @Nullable OpenStore find(String scheme) {
        return stores.get(scheme);
    }

    private synchronized void add(String scheme, OpenStore open) {
        stores.put(scheme, open);
        if (cancelled) {
            closeStores();
        }
    }

    /** Makes a running {@link #fetch} fail soon, as far as its store can. Any thread may call. */
    synchronized void cancel() {
        cancelled = true;
        closeStores();
    }

    private synchronized void closeStores() {
        for (OpenStore open : stores.values()) {
            try {
                open.store().close();
            } catch (IOException failure) {
                LOG.warn("file store of {}: cannot be closed", application.application(), failure);
            }
        }
    }

    private Path target(String subject, SubmissionResource resource) {
        String name = resource.fileName();
        if (name.isBlank() || name.equals(".") || name.equals("..") || name.contains("\\")) {
            throw ErrorCode.BAD_ARGUMENT.failure(subject + ": name '" + name + "' (expected: the name of a file)");
        }
        try {
            Path all =
                    directory.isPresent() ? directory.get() : Files.createTempDirectory(temporary, "hearth-fetched-");
            directory = Optional.of(all);
            return Files.createDirectory(all.resolve(String.valueOf(fetched.size())))
                    .resolve(name);
        } catch (IOException failure) {
            throw unwritable(subject, failure);
        }
    }

    private static HearthException missing(String subject, @Nullable Exception cause) {
        String message = subject + ": no such file (expected: a file of its store)";
        return cause == null ? ErrorCode.PATH_MISSING.failure(message) : ErrorCode.PATH_MISSING.failure(message, cause);
    }

    private static HearthException changed(String subject) {
        return ErrorCode.FILE_DAMAGED.failure(subject + ": changed while it was fetched (expected: the same size and"
                + " time of change before and after); submit again once it is complete");
    }

    private HearthException unwritable(String subject, IOException failure) {
        return ErrorCode.DISK_FAILED.failure(
                subject + ": cannot be stored on this machine, " + failure
                        + " (expected: space in the directory "
                        + temporary + ")",
                failure);
    }

    @Override
    public void close() {
        synchronized (this) {
            if (!cancelled) {
                closeStores();
            }
            stores.values().forEach(open -> open.pin().close());
            stores.clear();
        }
        directory.ifPresent(ResourceFetcher::delete);
        directory = Optional.empty();
    }

    private static void delete(Path directory) {
        try (Stream<Path> all = Files.walk(directory)) {
            List<Path> deepestFirst = new ArrayList<>(all.toList());
            deepestFirst.sort(Comparator.reverseOrder());
            for (Path path : deepestFirst) {
                Files.deleteIfExists(path);
            }
        } catch (NoSuchFileException gone) {
            LOG.debug("fetched files in {}: deleted with the temporary directory of this process", directory, gone);
        } catch (IOException | UncheckedIOException failure) {
            LOG.warn("fetched files in {}: cannot be deleted", directory, failure);
        }
    }
}
