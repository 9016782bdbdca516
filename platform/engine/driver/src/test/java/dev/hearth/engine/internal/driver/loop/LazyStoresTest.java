package dev.hearth.engine.internal.driver.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthException;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.storage.FileName;
import dev.hearth.spi.storage.FileStoreRegistry;
import dev.hearth.testkit.storage.MemoryFileStores;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Stores of an application are created at their first use and stay closed after its end. */
class LazyStoresTest {
    private final AtomicInteger opened = new AtomicInteger();
    private final LazyStores stores = new LazyStores(
            "app",
            Settings.empty(),
            FileStoreRegistry.of(() -> {
                opened.incrementAndGet();
                return List.of(new MemoryFileStores());
            }),
            () -> false);

    @Test
    void serveLocalFilesWithoutAFactory() {
        FileName file = stores.name("file:/tmp/x");
        assertTrue(file.isLocal());
        assertEquals(stores.of(file), stores.of(file));
        assertEquals(0, opened.get(), "local files need no factory");
        assertTrue(stores.closing().toCompletableFuture().isDone());
    }

    @Test
    void stayClosedWhenTheyAreFirstUsedAfterTheEnd() {
        assertTrue(stores.closing().toCompletableFuture().isDone());
        assertEquals(0, opened.get());
        FileName file = stores.name("memory:/x");
        assertEquals(
                "CONTEXT_CLOSED",
                assertThrows(HearthException.class, () -> stores.of(file)).code());
    }
}
