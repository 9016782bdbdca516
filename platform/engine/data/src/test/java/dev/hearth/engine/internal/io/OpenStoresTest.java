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
    void placesPathsWithoutASchemeInTheHomeOfAFactory() {
        memory.home(FileName.parse("mem://bucket/user/ann"));
        OpenStores homed = TestingStores.with(memory);
        assertEquals(new FileName("mem", "bucket", "/data/a%20b"), homed.name("/data/a%20b"));
        assertEquals("mem://bucket/user/ann/x/y", homed.name("x//y").toString());
        assertEquals("mem://bucket/", homed.name("/").toString());
        FileName local = homed.name("file:/tmp/a%20b");
        assertEquals(FileName.local("/tmp/a b"), local);
        assertEquals("file:/tmp/a b", homed.text(local));
        assertEquals(local, homed.name(homed.text(local)));
        FileName odd = FileName.local("/tmp/100%25");
        assertEquals(odd, homed.name(homed.text(odd)));
        assertEquals("mem://bucket/x", homed.text(homed.name("/x")));
        assertThrows(HearthException.class, () -> homed.name(" "));
    }

    @Test
    void leavesPathsWithoutASchemeToThisSystemOtherwise() {
        OpenStores plain = TestingStores.with(memory);
        assertEquals(FileName.local("/data"), plain.name("/data"));
        assertEquals(Path.of("x").toAbsolutePath().toString(), plain.name("x").toString());
        assertEquals("/data", plain.text(FileName.local("/data")));
    }

    @Test
    void saysWhereAnInputWasLookedFor() throws Exception {
        memory.home(FileName.parse("mem://bucket/user/ann"));
        memory.write("mem://bucket/user/ann/in.txt", "x");
        InputAccess access = new InputAccess(FileSettings.DEFAULTS, TestingStores.with(memory));
        assertEquals(
                "mem://bucket/user/ann/in.txt",
                InputPaths.find("i*.txt", access).get(0).path());
        HearthException missing = assertThrows(HearthException.class, () -> InputPaths.find("/data/x", access));
        assertEquals(
                "input path '/data/x': no such file or directory (expected: a readable file, directory or pattern, here"
                        + " below mem://bucket/; file:/path names a local file)",
                missing.getMessage());
        HearthException relative = assertThrows(HearthException.class, () -> InputPaths.find("x", access));
        assertTrue(relative.getMessage().contains("below mem://bucket/user/ann;"), relative.getMessage());
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
