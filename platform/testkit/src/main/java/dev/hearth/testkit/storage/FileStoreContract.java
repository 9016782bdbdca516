package dev.hearth.testkit.storage;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.spi.storage.FileBlock;
import dev.hearth.spi.storage.FileEntry;
import dev.hearth.spi.storage.FileName;
import dev.hearth.spi.storage.FileStore;
import dev.hearth.spi.storage.StoreInput;
import dev.hearth.spi.storage.StoreOutput;
import dev.hearth.spi.storage.StoreTrait;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Tests that every implementation of {@link FileStore} must pass. */
public abstract class FileStoreContract {
    /** The store under test. */
    protected abstract FileStore store();

    /** An empty directory of the store, which exists. */
    protected abstract FileName directory();

    private FileName name(String relative) {
        return directory().child(relative);
    }

    private FileName written(String relative, String content) throws IOException {
        FileName file = name(relative);
        try (StoreOutput out = store().create(file, false)) {
            out.write(content.getBytes(UTF_8));
        }
        return file;
    }

    private String content(FileName file) throws IOException {
        try (StoreInput in = store().read(file, 0)) {
            return new String(in.readAllBytes(), UTF_8);
        }
    }

    @Test
    void writesLooksAndReads() throws Exception {
        FileName file = written("a b%20c", "some text");
        FileEntry entry = store().look(file).orElseThrow();
        assertTrue(entry.isFile());
        assertTrue(entry.readable());
        assertEquals(9, entry.length());
        assertEquals(file, entry.name());
        assertEquals("some text", content(file));
        assertTrue(store().look(directory()).orElseThrow().isDirectory());
        assertEquals(Optional.empty(), store().look(name("other")));
        assertEquals(Optional.empty(), store().look(file.child("below")));
    }

    @Test
    void readsFromAnOffsetAndTellsThePosition() throws Exception {
        FileName file = written("a", "0123456789");
        try (StoreInput in = store().read(file, 4)) {
            assertEquals(4, in.position());
            assertEquals('4', in.read());
            byte[] rest = new byte[20];
            int read = in.readNBytes(rest, 1, 19);
            assertEquals("56789", new String(rest, 1, read, UTF_8));
            assertEquals(10, in.position());
            assertEquals(-1, in.read());
        }
        try (StoreInput in = store().read(file, 11)) {
            assertEquals(-1, in.read());
        }
    }

    @Test
    void namesWhatIsMissingOrThereAlready() throws Exception {
        FileName file = written("a", "old");
        assertThrows(NoSuchFileException.class, () -> store().read(name("b"), 0));
        assertThrows(NoSuchFileException.class, () -> store().list(name("b")).hasNext());
        assertThrows(
                NoSuchFileException.class,
                () -> store().create(name("no/b"), true).close());
        assertThrows(NoSuchFileException.class, () -> store().directory(name("no/b"), true));
        assertThrows(NoSuchFileException.class, () -> store().rename(name("b"), name("c"), true));
        assertThrows(
                FileAlreadyExistsException.class,
                () -> store().create(file, false).close());
        assertEquals("old", content(file));
        try (StoreOutput out = store().create(file, true)) {
            out.write("new".getBytes(UTF_8));
        }
        assertEquals("new", content(file));
    }

    @Test
    void listsADirectoryWithoutWhatIsBelow() throws Exception {
        store().directory(name("d/e"), false);
        written("d/f", "1");
        written("d/e/g", "2");
        TreeSet<String> found = new TreeSet<>();
        store().list(name("d")).forEachRemaining(entry -> found.add(entry.name().name() + " " + entry.kind()));
        assertEquals(List.of("e DIRECTORY", "f FILE"), List.copyOf(found));
        store().directory(name("d/e"), false);
    }

    @Test
    void letsOneCallerCreateADirectory() throws Exception {
        if (!store().traits().contains(StoreTrait.EXCLUSIVE_CREATE)) {
            return;
        }
        List<CompletableFuture<Boolean>> calls = IntStream.range(0, 8)
                .mapToObj(caller -> CompletableFuture.supplyAsync(() -> {
                    try {
                        store().directory(name("claim"), true);
                        return true;
                    } catch (FileAlreadyExistsException there) {
                        return false;
                    } catch (IOException failure) {
                        throw new AssertionError(failure);
                    }
                }))
                .toList();
        List<Boolean> won = new ArrayList<>();
        calls.forEach(call -> won.add(call.join()));
        assertEquals(1, won.stream().filter(one -> one).count());
    }

    @Test
    void renamesWithAndWithoutReplacing() throws Exception {
        FileName one = written("one", "1");
        FileName two = written("two", "2");
        assertFalse(store().rename(one, two, false));
        assertEquals("1", content(one));
        assertTrue(store().rename(one, two, true));
        assertEquals("1", content(two));
        assertEquals(Optional.empty(), store().look(one));
        assertTrue(store().rename(two, one, false));
        assertEquals("1", content(one));
    }

    @Test
    void removesFilesAndTrees() throws Exception {
        store().directory(name("d/e"), false);
        written("d/e/f", "1");
        assertThrows(IOException.class, () -> store().remove(name("d"), false));
        store().remove(name("d"), true);
        assertEquals(Optional.empty(), store().look(name("d")));
        FileName file = written("f", "1");
        store().remove(file, false);
        store().remove(file, false);
        store().remove(name("d"), true);
        assertEquals(Optional.empty(), store().look(file));
    }

    @Test
    void showsWhatIsWrittenBeforeTheEnd() throws Exception {
        FileName file = name("log");
        try (StoreOutput out = store().create(file, false)) {
            out.write("first".getBytes(UTF_8));
            out.show();
            if (store().traits().contains(StoreTrait.SHOWS_WRITES)) {
                assertEquals("first", content(file));
            }
            out.write(" second".getBytes(UTF_8));
            out.force();
        }
        assertEquals("first second", content(file));
    }

    @Test
    void endsADiscardedOutput() throws Exception {
        FileName file = name("part");
        StoreOutput out = store().create(file, false);
        out.write("half".getBytes(UTF_8));
        out.discard();
        out.close();
        store().remove(file, false);
        assertEquals(Optional.empty(), store().look(file));
    }

    @Test
    void returnsBlocksThatCoverTheRange() throws Exception {
        FileName file = written("a", "0123456789");
        long end = 0;
        for (FileBlock block : store().blocks(file, 0, 10)) {
            assertEquals(end, block.from());
            end = block.until();
        }
        assertTrue(end == 0 || end == 10, "either none or all of the file: " + end);
    }
}
