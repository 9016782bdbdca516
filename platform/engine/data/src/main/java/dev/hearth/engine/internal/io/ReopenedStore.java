package dev.hearth.engine.internal.io;

import dev.hearth.api.HearthException;
import dev.hearth.spi.storage.FileBlock;
import dev.hearth.spi.storage.FileEntry;
import dev.hearth.spi.storage.FileName;
import dev.hearth.spi.storage.FileStore;
import dev.hearth.spi.storage.FileStoreRegistry;
import dev.hearth.spi.storage.PinnedStores;
import dev.hearth.spi.storage.StoreContext;
import dev.hearth.spi.storage.StoreInput;
import dev.hearth.spi.storage.StoreOutput;
import dev.hearth.spi.storage.StoreTrait;
import java.io.IOException;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Store of one scheme that is opened at its first use, and opened again when its bundle was removed by force. An
 * operation that only looks or reads is then repeated with the new store; others fail, and their task is retried.
 * Unexpected exceptions of a store become {@link IOException}. The lock of this object is held while the store is
 * opened or closed, but not during operations. Thread-safe.
 */
final class ReopenedStore implements FileStore {
    private static final Logger LOG = LoggerFactory.getLogger(ReopenedStore.class);

    private final String scheme;
    private final StoreContext context;
    private final FileStoreRegistry registry;
    private volatile @Nullable Opened current; // assigned only under the lock of this object

    ReopenedStore(String scheme, StoreContext context, FileStoreRegistry registry) {
        this.scheme = scheme;
        this.context = context;
        this.registry = registry;
    }

    /** An open store and the pin of its factory. */
    record Opened(PinnedStores pin, FileStore store) {}

    /** Operation of a store. */
    @FunctionalInterface
    private interface Operation<R> {
        R on(FileStore store) throws IOException;
    }

    /** Returns the open store, and opens it if it is not open. */
    Opened opened() {
        Opened known = current;
        return known == null || known.pin.isGone() ? open() : known;
    }

    private synchronized Opened open() {
        Opened known = current;
        if (known != null && !known.pin.isGone()) {
            return known;
        }
        close();
        PinnedStores pin = registry.pin(scheme, "application " + context.application());
        try {
            Opened opened = new Opened(pin, pin.stores().open(scheme, context));
            current = opened;
            return opened;
        } catch (RuntimeException | LinkageError failure) {
            pin.close();
            throw failure;
        }
    }

    /** Runs an operation that changes something, at most once. */
    private <R> R once(Operation<R> operation) throws IOException {
        Opened at = opened();
        try {
            return operation.on(at.store);
        } catch (IOException failure) {
            throw at.pin.isGone() ? removed(failure) : failure;
        } catch (HearthException failure) {
            throw failure;
        } catch (RuntimeException | LinkageError failure) {
            throw at.pin.isGone() ? removed(failure) : defect(failure);
        }
    }

    /** Runs an operation that changes nothing. Repeats it once if the store's bundle was removed meanwhile. */
    private <R> R repeatable(Operation<R> operation) throws IOException {
        Opened at = opened();
        try {
            return once(operation);
        } catch (IOException failure) {
            if (at.pin.isGone()) {
                LOG.debug("file store for scheme '{}': removed during an operation, which is repeated", scheme);
                return once(operation);
            }
            throw failure;
        }
    }

    private IOException removed(Throwable failure) {
        return new IOException(
                "the bundle of the file store for scheme '" + scheme + "' was removed during the operation", failure);
    }

    private IOException defect(Throwable failure) {
        return new IOException("the file store for scheme '" + scheme + "' failed with " + failure, failure);
    }

    @Override
    public Set<StoreTrait> traits() {
        return opened().store.traits();
    }

    @Override
    public Optional<FileEntry> look(FileName file) throws IOException {
        return repeatable(store -> store.look(file));
    }

    @Override
    public Iterator<FileEntry> list(FileName directory) throws IOException {
        return repeatable(store -> store.list(directory));
    }

    @Override
    public StoreInput read(FileName file, long from) throws IOException {
        return repeatable(store -> store.read(file, from));
    }

    @Override
    public List<FileBlock> blocks(FileName file, long from, long until) throws IOException {
        return repeatable(store -> store.blocks(file, from, until));
    }

    @Override
    public StoreOutput create(FileName file, boolean replace) throws IOException {
        return once(store -> store.create(file, replace));
    }

    @Override
    public void directory(FileName name, boolean mustBeNew) throws IOException {
        once(store -> {
            store.directory(name, mustBeNew);
            return true;
        });
    }

    @Override
    public boolean rename(FileName from, FileName to, boolean replace) throws IOException {
        return once(store -> store.rename(from, to, replace));
    }

    @Override
    public void remove(FileName name, boolean tree) throws IOException {
        once(store -> {
            store.remove(name, tree);
            return true;
        });
    }

    @Override
    public void permit(FileName file, Set<PosixFilePermission> permissions) throws IOException {
        once(store -> {
            store.permit(file, permissions);
            return true;
        });
    }

    @Override
    public FileName real(FileName directory) throws IOException {
        return repeatable(store -> store.real(directory));
    }

    @Override
    public synchronized void close() {
        Opened last = current;
        current = null;
        if (last != null) {
            try {
                last.store.close();
            } catch (IOException | RuntimeException | LinkageError failure) {
                LOG.warn("file store for scheme '{}': cannot be closed", scheme, failure);
            } finally {
                last.pin.close();
            }
        }
    }
}
