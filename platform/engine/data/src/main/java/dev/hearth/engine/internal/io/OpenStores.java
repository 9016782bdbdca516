package dev.hearth.engine.internal.io;

import dev.hearth.api.HearthException;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.storage.ApplicationStores;
import dev.hearth.spi.storage.FileName;
import dev.hearth.spi.storage.FileStore;
import dev.hearth.spi.storage.FileStoreRegistry;
import dev.hearth.spi.storage.StoreContext;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The file stores of one application in one process. Local files have a store that is always there. Each other store is
 * opened at its first use, with the newest factory for its scheme, and closed by {@link #closing}. Thread-safe; stores
 * must not be used on the event loop of the application.
 */
public final class OpenStores implements ApplicationStores {
    private final String application;
    private final Settings settings;
    private final FileStoreRegistry registry;
    private final BooleanSupplier inLoop;
    private final Map<String, ReopenedStore> open = new ConcurrentHashMap<>(); // by scheme
    private @Nullable FileName home; // guarded by this; null until a path without a scheme is parsed
    private volatile boolean closed;

    /** {@code inLoop} returns whether the calling thread runs an event loop, which stores could block. */
    public OpenStores(String application, Settings settings, FileStoreRegistry registry, BooleanSupplier inLoop) {
        this.application = application;
        this.settings = settings;
        this.registry = registry;
        this.inLoop = inLoop;
    }

    /** Stores of local files only. */
    public static OpenStores local() {
        return new OpenStores("", Settings.empty(), FileStoreRegistry.of(List::of), () -> false);
    }

    @Override
    public FileName name(String text) {
        if (text.isBlank()) {
            throw ErrorCode.BAD_ARGUMENT.failure("path '': empty (expected: a path)");
        }
        return FileName.uri(text, FileName::decode).orElseGet(() -> {
            FileName start = home();
            if (start.isLocal()) {
                return FileName.resolve(text);
            }
            return text.startsWith("/") ? start.root().child(text.substring(1)) : start.child(text);
        });
    }

    @Override
    public synchronized FileName home() {
        FileName known = home;
        if (known == null) {
            known = registry.home(new OfApplication(application, settings)).orElseGet(() -> FileName.resolve(""));
            home = known;
        }
        return known;
    }

    @Override
    public FileStore of(FileName file) {
        if (file.isLocal()) {
            return LocalFileStore.INSTANCE;
        }
        if (inLoop.getAsBoolean()) {
            throw ErrorCode.WRONG_THREAD.failure(
                    "file " + file + ": used on an event loop (expected: on a thread that may block)");
        }
        ReopenedStore store = open.computeIfAbsent(file.scheme(), this::store);
        if (closed) {
            store.close(); // a close that ran at the same time may have missed this store
            throw ErrorCode.CONTEXT_CLOSED.failure(
                    "file " + file + ": used after its application had ended (expected: before)");
        }
        try {
            store.opened();
        } catch (HearthException failure) {
            if (failure.code().equals(ErrorCode.NO_PROVIDER.name())) {
                throw ErrorCode.NO_PROVIDER.failure("file " + file + ", " + failure.getMessage(), failure);
            }
            throw failure;
        }
        return store;
    }

    private ReopenedStore store(String scheme) {
        return new ReopenedStore(scheme, new OfApplication(application, settings), registry);
    }

    /**
     * Closes all stores. Does so at once if only local files were used, else on a thread of its own, because closing a
     * store may wait for its storage.
     */
    public CompletionStage<Void> closing() {
        closed = true;
        if (open.isEmpty()) {
            return CompletableFuture.completedFuture(null);
        }
        CompletableFuture<Void> done = new CompletableFuture<>();
        Thread thread = new Thread(null, () -> closeAll(done), "hearth-closing-stores", 0, false);
        thread.setContextClassLoader(OpenStores.class.getClassLoader());
        thread.setDaemon(true);
        thread.start();
        return done;
    }

    private void closeAll(CompletableFuture<Void> done) {
        try {
            open.values().forEach(ReopenedStore::close);
        } finally {
            done.complete(null);
        }
    }

    /** The application for which stores are opened. */
    private record OfApplication(String application, Settings settings) implements StoreContext {}
}
