package dev.hearth.testkit.storage;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.spi.storage.FileName;
import dev.hearth.spi.storage.FileStore;
import dev.hearth.spi.storage.StoreInput;
import dev.hearth.spi.storage.StoreOutput;
import dev.hearth.testkit.FakeTicker;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The contract of stores, and the scripted faults. */
class MemoryFileStoresTest extends FileStoreContract {
    private final MemoryFileStores stores = new MemoryFileStores(4);
    private final FileName directory = FileName.parse("mem://bucket/dir");
    private final FileName file = directory.child("file");
    private FileStore store;

    @BeforeEach
    void open() throws IOException {
        store = stores.open("mem", null);
        store.directory(directory, false);
    }

    @Override
    protected FileStore store() {
        return store;
    }

    @Override
    protected FileName directory() {
        return directory;
    }

    @Test
    void failsHalfWay() throws Exception {
        stores.write(file.toString(), "0123456789");
        stores.failReadsAfter(3);
        StoreInput in = store.read(file, 2);
        assertEquals("234", new String(in.readNBytes(3), UTF_8));
        assertThrows(IOException.class, in::read);
        stores.failWritesAfter(3);
        StoreOutput out = store.create(directory.child("other"), false);
        out.write(new byte[3]);
        assertThrows(IOException.class, () -> out.write(1));
    }

    @Test
    void showsNewFilesLateInListings() throws Exception {
        stores.hideFromListings(2);
        store.create(file, false).close();
        assertFalse(store.list(directory).hasNext());
        assertFalse(store.list(directory).hasNext());
        assertTrue(store.look(file).isPresent());
        assertTrue(store.list(directory).hasNext());
    }

    @Test
    void refusesAndRemovesByName() throws Exception {
        stores.write(file.toString(), "1");
        stores.refuse(file::equals);
        assertThrows(AccessDeniedException.class, () -> store.look(file));
        stores.heal();
        stores.vanish(file::equals);
        assertTrue(store.look(file).isPresent());
        assertThrows(NoSuchFileException.class, () -> store.read(file, 0));
    }

    @Test
    void takesVirtualTimeAndCountsOpenStores() throws Exception {
        FakeTicker ticker = new FakeTicker();
        long before = ticker.nanos();
        stores.slow(ticker, Duration.ofMinutes(1));
        store.look(file);
        assertEquals(Duration.ofMinutes(1).toNanos(), ticker.nanos() - before);
        assertEquals(1, stores.openStores());
        store.close();
        assertEquals(0, stores.openStores());
        assertThrows(IOException.class, () -> store.look(file));
    }

    @Test
    void knowsTheHostsOfBlocks() throws Exception {
        stores.write(file.toString(), "0123456789");
        stores.hosts(block -> List.of("host-" + block));
        assertEquals(
                List.of("host-1", "host-2"),
                store.blocks(file, 5, 10).stream()
                        .map(block -> block.hosts().get(0))
                        .toList());
    }
}
