package dev.hearth.rpc.internal.bulk;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthException;
import dev.hearth.spi.stream.ContentId;
import dev.hearth.spi.stream.ContentStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A content store that is filled, abandoned, reopened and fed corrupt bytes. */
class DirectoryContentStoreTest {
    private static final byte[] CONTENT = BulkPair.random(17, 6_000);
    private static final long BYTES_MAX = 10_000;

    @TempDir
    Path directory;

    private Path file;
    private ContentId id;
    private ContentStore store;

    @BeforeEach
    void open() throws Exception {
        file = BulkPair.file(directory, "some.jar", CONTENT);
        id = ContentId.of(file);
        store = reopened();
    }

    @AfterEach
    void close() {
        store.close();
    }

    @Test
    void keepsContentWhenReopened() throws Exception {
        assertEquals(Optional.empty(), store.find(id));
        assertEquals(id, store.add(file));
        assertEquals(id, store.add(file));
        store.close();

        store = reopened();

        assertArrayEquals(CONTENT, Files.readAllBytes(store.find(id).orElseThrow()));
        assertEquals(CONTENT.length, store.bytesHeld());
        store.remove(id);
        store.remove(id);
        assertEquals(Optional.empty(), store.find(id));
        assertEquals(0, store.bytesHeld());
    }

    @Test
    void resumesAPartialUploadOfAnEarlierProcess() throws Exception {
        ContentStore.Incoming cut = store.receive(id, CONTENT.length);
        cut.write(ByteBuffer.wrap(CONTENT, 0, 2_500));
        // simulates a crash: only the lock is released
        store.close();
        store = reopened();
        assertEquals(2_500, store.bytesHeld());
        assertEquals(2_500, store.bytesLeft(id));

        try (ContentStore.Incoming rest = store.receive(id, CONTENT.length)) {
            assertEquals(2_500, rest.bytesHere());
            rest.write(ByteBuffer.wrap(CONTENT, 2_500, 3_500));
            rest.finish();
        }

        assertArrayEquals(CONTENT, Files.readAllBytes(store.find(id).orElseThrow()));
        assertEquals(CONTENT.length, store.bytesHeld());
    }

    @Test
    void resumesAPartialUploadWhoseReadingWasInterrupted() throws Exception {
        try (ContentStore.Incoming cut = store.receive(id, CONTENT.length)) {
            cut.write(ByteBuffer.wrap(CONTENT, 0, 2_500));
        }
        Thread.currentThread().interrupt();
        try {
            assertThrows(ClosedByInterruptException.class, () -> store.receive(id, CONTENT.length));
        } finally {
            assertTrue(Thread.interrupted());
        }
        assertEquals(2_500, store.bytesHeld());
        try (ContentStore.Incoming rest = store.receive(id, CONTENT.length)) {
            assertEquals(2_500, rest.bytesHere());
        }
    }

    @Test
    void syncsADirectoryBeforeContentIsReported() throws Exception {
        store.close();
        List<Path> synced = new ArrayList<>();
        boolean[] there = {false};
        Path place = directory.resolve("deep/er/store").toAbsolutePath();
        store = DirectoryContentStore.open(place, BYTES_MAX, synced::add);
        assertEquals(Set.of(place, place.getParent(), place.getParent().getParent(), directory), Set.copyOf(synced));
        store.close();
        synced.clear();
        store = DirectoryContentStore.open(place, BYTES_MAX, changed -> {
            synced.add(changed);
            there[0] = store.find(id).isPresent();
        });
        synced.clear();

        store.add(file);

        Path stored = store.find(id).orElseThrow();
        assertEquals(List.of(stored.getParent(), place.resolve("sha256")), synced);
        assertTrue(there[0], "synced after it has its name");
    }

    @Test
    void aNameThatCannotBeSyncedIsAFailure() throws Exception {
        store.close();
        boolean[] broken = {false};
        store = DirectoryContentStore.open(directory.resolve("store"), BYTES_MAX, changed -> {
            if (broken[0]) {
                throw new IOException("Input/output error");
            }
        });
        broken[0] = true;
        assertThrows(IOException.class, () -> store.add(file));
        broken[0] = false;
        assertEquals(id, store.add(file));
        assertEquals(CONTENT.length, store.bytesHeld());
    }

    @Test
    void theSystemSyncsDirectoriesThatAreThere() throws Exception {
        DirectorySync.ofSystem().sync(directory);
        if (BulkFilePermissions.supportsPosix(directory)) {
            assertThrows(IOException.class, () -> DirectorySync.ofSystem().sync(directory.resolve("none")));
        }
    }

    @Test
    void aWriterThatOutlivesItsStoreDoesNotAffectTheNextStore() throws Exception {
        ContentStore.Incoming old = store.receive(id, CONTENT.length);
        old.write(ByteBuffer.wrap(CONTENT, 0, 2_500));
        store.close();
        assertThrows(IOException.class, () -> old.write(ByteBuffer.wrap(CONTENT, 2_500, 10)));
        store = reopened();
        try (ContentStore.Incoming rest = store.receive(id, CONTENT.length)) {
            rest.write(ByteBuffer.wrap(CONTENT, 2_500, 3_000));
            old.close(); // only now, after its successor was opened
            rest.write(ByteBuffer.wrap(CONTENT, 5_500, 500));
            rest.finish();
        }

        assertArrayEquals(CONTENT, Files.readAllBytes(store.find(id).orElseThrow()));
    }

    @Test
    void refusesContentThatDoesNotMatchItsHash() throws Exception {
        byte[] wrong = CONTENT.clone();
        wrong[77] ^= 1;
        try (ContentStore.Incoming part = store.receive(id, wrong.length)) {
            part.write(ByteBuffer.wrap(wrong));
            HearthException damaged = assertThrows(HearthException.class, part::finish);
            assertEquals("STREAM_DAMAGED", damaged.code());
        }
        try (ContentStore.Incoming tooMuch = store.receive(id, 10)) {
            assertThrows(HearthException.class, () -> tooMuch.write(ByteBuffer.wrap(wrong)));
        }

        assertEquals(Optional.empty(), store.find(id));
        assertEquals(0, store.bytesHeld());
    }

    @Test
    void countsPartialUploadsAndEvictsThoseWithoutAWriter() throws Exception {
        ContentId other = ContentId.of(BulkPair.file(directory, "other.jar", new byte[5_000]));
        ContentStore.Incoming writing = store.receive(id, 6_000);
        writing.write(ByteBuffer.wrap(CONTENT, 0, 100));

        HearthException full = assertThrows(HearthException.class, () -> store.receive(other, 5_000));

        assertEquals("STORE_FULL", full.code());
        writing.write(ByteBuffer.wrap(CONTENT, 100, 5_800));
        writing.close();
        assertEquals(5_900, store.bytesHeld());
        store.add(directory.resolve("other.jar"));
        assertEquals(5_000, store.bytesHeld());
    }

    @Test
    void evictsTheOldestPartialUploadFirst() throws Exception {
        Path large = BulkPair.file(directory, "large.jar", new byte[7_000]);
        List<ContentId> ids = List.of(id, ContentId.of(BulkPair.file(directory, "other.jar", new byte[6_000])));
        for (int oldest = 0; oldest < 2; oldest++) {
            for (ContentId each : ids) {
                try (ContentStore.Incoming part = store.receive(each, 6_000)) {
                    part.write(ByteBuffer.wrap(new byte[2_000 - (int) part.bytesHere()]));
                }
            }
            store.close();
            setAge(ids.get(oldest), 2);
            setAge(ids.get(1 - oldest), 1);
            store = reopened();
            store.remove(store.add(large));
            assertEquals(2_000, store.bytesHeld());
            try (ContentStore.Incoming evicted = store.receive(ids.get(oldest), 6_000)) {
                assertEquals(0, evicted.bytesHere());
            }
        }
    }

    private void setAge(ContentId content, long hours) throws Exception {
        FileTime time = FileTime.fromMillis(1_000_000_000_000L - hours * 3_600_000);
        Files.setLastModifiedTime(directory.resolve("store/incoming/" + content + "-0.part"), time);
    }

    @Test
    void aConcurrentUploadWithoutRoomForBothIsRetryable() throws Exception {
        ContentStore.Incoming first = store.receive(id, CONTENT.length);
        first.write(ByteBuffer.wrap(CONTENT, 0, 2_500));

        HearthException busy = assertThrows(HearthException.class, () -> store.receive(id, CONTENT.length));

        assertEquals("TOO_MANY_ASKS", busy.code());
        assertTrue(RetryBackoff.isRetryable(BulkFailure.of("", busy).code()));
        first.close();
        try (ContentStore.Incoming second = store.receive(id, CONTENT.length)) {
            assertEquals(2_500, second.bytesHere());
        }
    }

    @Test
    void givesEachWriterOfTheSameContentAPartOfItsOwn() throws Exception {
        store.close();
        store = new DirectoryContentStores().open(directory.resolve("store"), 100_000);
        ContentStore.Incoming first = store.receive(id, CONTENT.length);
        ContentStore.Incoming second = store.receive(id, CONTENT.length);
        first.write(ByteBuffer.wrap(Arrays.copyOf(CONTENT, 3_000)));
        second.write(ByteBuffer.wrap(CONTENT));
        second.finish();
        assertTrue(store.find(id).isPresent());
        first.write(ByteBuffer.wrap(CONTENT, 3_000, 3_000));
        first.finish();
        first.close();
        second.close();

        assertEquals(CONTENT.length, store.bytesHeld());
        try (ContentStore.Incoming present = store.receive(id, CONTENT.length)) {
            assertEquals(CONTENT.length, present.bytesHere());
            present.finish();
        }
    }

    @Test
    void belongsToOneProcessAtATime() {
        HearthException taken = assertThrows(HearthException.class, this::reopened);

        assertEquals("DISK_FAILED", taken.code());
    }

    private ContentStore reopened() throws Exception {
        return new DirectoryContentStores().open(directory.resolve("store"), BYTES_MAX);
    }
}
