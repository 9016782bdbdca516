package dev.hearth.engine.internal.io;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthException;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.storage.FileName;
import dev.hearth.spi.storage.FileStore;
import dev.hearth.spi.storage.FileStoreRegistry;
import dev.hearth.spi.storage.FileStores;
import dev.hearth.spi.storage.PinnedStores;
import dev.hearth.testkit.storage.MemoryFileStores;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class OpenStoresTest {
    private static final FileName FILE = FileName.parse("mem://bucket/file");

    private final MemoryFileStores memory = new MemoryFileStores();
    private final List<String> pins = new ArrayList<>();
    private final AtomicBoolean inLoop = new AtomicBoolean();
    private final AtomicBoolean gone = new AtomicBoolean();
    private final OpenStores stores = new OpenStores("pi", Settings.empty(), this::pin, inLoop::get);

    private PinnedStores pin(String scheme, String holder) {
        pins.add(scheme + " for " + holder);
        return new PinnedStores() {
            private final boolean first = pins.size() == 1;

            @Override
            public FileStores stores() {
                return memory;
            }

            @Override
            public boolean isGone() {
                return first && gone.get();
            }

            @Override
            public void close() {
                pins.add("closed");
            }
        };
    }

    @Test
    void opensAStoreAtItsFirstUseAndClosesItAtTheEnd() throws Exception {
        FileStore store = stores.of(FILE);
        assertSame(store, stores.of(FILE.child("other")));
        assertEquals(1, memory.openStores());
        store.look(FILE);
        assertEquals(1, memory.openStores());
        assertEquals(List.of("mem for application pi"), pins);
        stores.closing().toCompletableFuture().get(1, TimeUnit.MINUTES);
        assertEquals(0, memory.openStores());
        assertEquals(List.of("mem for application pi", "closed"), pins);
        HearthException failure = assertThrows(HearthException.class, () -> stores.of(FILE));
        assertEquals("CONTEXT_CLOSED", failure.code());
    }

    @Test
    void closesAtOnceAfterLocalFilesOnly() {
        assertSame(LocalFileStore.INSTANCE, stores.of(stores.name("file:/tmp")));
        assertTrue(stores.closing().toCompletableFuture().isDone());
    }

    @Test
    void opensAgainWhenItsFactoryIsGone() throws Exception {
        stores.of(FILE).look(FILE);
        gone.set(true);
        assertEquals(Optional.empty(), stores.of(FILE).look(FILE));
        assertEquals(List.of("mem for application pi", "closed", "mem for application pi"), pins);
        assertEquals(1, memory.openStores());
    }

    @Test
    void repeatsALookButNotARenameThatTheRemovalOfTheFactoryBreaks() throws Exception {
        memory.write(FILE.toString(), "1");
        FileStore store = stores.of(FILE);
        store.traits();
        memory.refuse(file -> pins.size() == 1 && gone.compareAndSet(false, true));
        assertTrue(store.look(FILE).isPresent());
        assertEquals(2, memory.opened());
    }

    @Test
    void saysThatTheStoreWasRemovedDuringAnOperation() throws Exception {
        memory.write(FILE.toString(), "1");
        FileStore store = stores.of(FILE);
        store.traits();
        memory.refuse(file -> gone.compareAndSet(false, true));
        IOException failure = assertThrows(IOException.class, () -> store.remove(FILE, false));
        assertEquals(
                "the bundle of the file store for scheme 'mem' was removed during the operation", failure.getMessage());
        assertTrue(memory.read(FILE.toString()).length == 1);
    }

    @Test
    void turnsUnexpectedExceptionsIntoFailuresThatNameTheStore() {
        memory.refuse(file -> {
            throw new IllegalStateException("broken");
        });
        IOException failure =
                assertThrows(IOException.class, () -> stores.of(FILE).look(FILE));
        assertEquals(
                "the file store for scheme 'mem' failed with java.lang.IllegalStateException: broken",
                failure.getMessage());
    }

    @Test
    void refusesToBlockAnEventLoop() {
        inLoop.set(true);
        HearthException failure = assertThrows(HearthException.class, () -> stores.of(FILE));
        assertEquals(
                "file mem://bucket/file: used on an event loop (expected: on a thread that may block)",
                failure.getMessage());
        assertSame(LocalFileStore.INSTANCE, stores.of(FileName.local("/tmp")));
    }

    @Test
    void findsStoresInAPlainList() throws Exception {
        OpenStores listed =
                new OpenStores("pi", Settings.empty(), FileStoreRegistry.of(() -> List.of(memory)), () -> false);
        assertEquals(Optional.empty(), listed.of(FILE).look(FILE));
        FileName other = listed.name("hdfs://nn/a");
        HearthException failure = assertThrows(HearthException.class, () -> listed.of(other));
        assertEquals("NO_PROVIDER", failure.code());
        assertEquals(
                "file hdfs://nn/a, file store for scheme 'hdfs': not installed (expected: one of [file, mem]); check the"
                        + " scheme, or put a library that provides one on the class path",
                failure.getMessage());
    }

    @Test
    void takesPathsRelativeToTheWorkingDirectory() {
        assertEquals(
                Path.of("a/b").toAbsolutePath().toString(), stores.name("a/b").path());
        assertEquals("mem://x/a b", stores.name("mem://x/a%20b").toString());
    }
}
