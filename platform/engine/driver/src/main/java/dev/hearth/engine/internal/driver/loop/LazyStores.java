package dev.hearth.engine.internal.driver.loop;

import dev.hearth.engine.internal.io.OpenStores;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.storage.ApplicationStores;
import dev.hearth.spi.storage.FileName;
import dev.hearth.spi.storage.FileStore;
import dev.hearth.spi.storage.FileStoreRegistry;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The file stores of an application, created at their first use: a program that uses no file does not load their
 * classes. Thread-safe.
 */
public final class LazyStores implements ApplicationStores {
    private final String application;
    private final Settings settings;
    private final FileStoreRegistry registry;
    private final BooleanSupplier inLoop;
    private @Nullable OpenStores open; // guarded by this; null until the first use
    private boolean closed; // guarded by this

    /** The parameters are those of {@link OpenStores}. */
    public LazyStores(String application, Settings settings, FileStoreRegistry registry, BooleanSupplier inLoop) {
        this.application = application;
        this.settings = settings;
        this.registry = registry;
        this.inLoop = inLoop;
    }

    /** Stores of local files only. */
    public static LazyStores local() {
        return new LazyStores("", Settings.empty(), FileStoreRegistry.of(List::of), () -> false);
    }

    @Override
    public FileName name(String text) {
        return open().name(text);
    }

    @Override
    public FileName home() {
        return open().home();
    }

    @Override
    public FileStore of(FileName file) {
        return open().of(file);
    }

    /** Closes the stores that were opened, and all that are opened later. */
    public synchronized CompletionStage<Void> closing() {
        closed = true;
        return open == null ? CompletableFuture.completedFuture(null) : open.closing();
    }

    private synchronized OpenStores open() {
        OpenStores known = open;
        if (known == null) {
            known = new OpenStores(application, settings, registry, inLoop);
            open = known;
            if (closed) {
                known.closing().toCompletableFuture().join(); // at once, as none of its stores is open
            }
        }
        return known;
    }
}
