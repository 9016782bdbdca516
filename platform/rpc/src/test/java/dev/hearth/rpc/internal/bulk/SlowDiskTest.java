package dev.hearth.rpc.internal.bulk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.rpc.internal.RecordedLogs;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.stream.ContentId;
import dev.hearth.spi.stream.StreamContent;
import dev.hearth.spi.stream.StreamEntry;
import dev.hearth.spi.stream.StreamProvider;
import dev.hearth.spi.stream.StreamRange;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A serving connection with a disk that the test controls: the bytes that the other side receives, and those that it
 * does not.
 */
class SlowDiskTest {
    private static final Duration BEAT = BulkLimits.WORK_BEAT_MAX;
    private static final String PLACE = "/srv/secret/place";

    private final ServedStreams served = new ServedStreams();
    private final Queue<Runnable> disk = new ArrayDeque<>();

    @TempDir
    Path directory;

    @Test
    void theSenderIsNotifiedWhileExistingBytesAreRead() throws Exception {
        byte[] content = new byte[100];
        try (EmbeddedServerConnection channel = new EmbeddedServerConnection(served, disk::add);
                DirectoryContentStore store = store()) {
            served.accept(store);
            try (var part = store.receive(id(content), content.length)) {
                part.write(ByteBuffer.wrap(content, 0, 40));
            }
            channel.write(EmbeddedServerConnection.request(new BulkRequest.Offer(id(content), content.length)));
            assertEquals(Collections.nCopies(90, BulkFrameKind.WORKING), beats(channel, 90));
            disk.remove().run();
            channel.pass(BEAT);
            assertEquals(List.of(BulkFrameKind.ANSWER), DecodedFrames.of(channel.answered()).kinds);

            channel.write(EmbeddedServerConnection.chunk(new byte[60]));
            assertEquals(Collections.nCopies(3, BulkFrameKind.WORKING), beats(channel, 3), "while it is checked");
            disk.remove().run();
            channel.pass(BEAT);
            assertEquals(List.of(BulkFrameKind.END), DecodedFrames.of(channel.answered()).kinds);
            assertTrue(store.find(id(content)).isPresent());
            assertEquals(List.of(), beats(channel, 3));
        }
    }

    @Test
    void aHangingDiskTimesOutAndItsResultIsDropped() throws Exception {
        byte[] content = new byte[100];
        try (EmbeddedServerConnection channel = new EmbeddedServerConnection(served, disk::add);
                DirectoryContentStore store = store()) {
            served.accept(store);
            channel.write(EmbeddedServerConnection.request(new BulkRequest.Offer(id(content), content.length)));
            channel.pass(BulkLimits.DISK_STEP_MAX.plus(BEAT));
            DecodedFrames answer = DecodedFrames.of(channel.answered());
            assertEquals(List.of(BulkFrameKind.FAILURE), answer.kinds);
            assertEquals(ErrorCode.DISK_FAILED, answer.failure(0).code());
            disk.remove().run();
            assertEquals(List.of(), beats(channel, 3));
            assertEquals(0, store.bytesHeld(), "the part that was opened too late has no bytes");
        }
    }

    @Test
    void aPartThatIsOpenedTooLateIsLeftToTheNextAttempt() throws Exception {
        byte[] content = new byte[100];
        try (EmbeddedServerConnection channel = new EmbeddedServerConnection(served, disk::add);
                DirectoryContentStore store = store()) {
            served.accept(store);
            try (var part = store.receive(id(content), content.length)) {
                part.write(ByteBuffer.wrap(content, 0, 40));
            }
            channel.write(EmbeddedServerConnection.request(new BulkRequest.Offer(id(content), content.length)));
            channel.pass(BulkLimits.DISK_STEP_MAX.plus(BEAT));
            disk.remove().run();
            channel.pass(BEAT);
            try (var next = store.receive(id(content), content.length)) {
                assertEquals(40, next.bytesHere());
            }
        }
    }

    @Test
    void listingsAreMadeByTheThreadsOfTheDisk() throws Exception {
        int[] asked = {0};
        served.serve("many", new Directory(() -> {
            asked[0]++;
            return Collections.nCopies(100_000, new StreamEntry("a", false, 1));
        }));
        try (EmbeddedServerConnection channel = new EmbeddedServerConnection(served, disk::add)) {
            channel.write(EmbeddedServerConnection.request(new BulkRequest.Listing("many")));
            assertEquals(0, asked[0], "on the I/O thread");
            assertEquals(List.of(BulkFrameKind.WORKING), beats(channel, 1));
            disk.remove().run();
            channel.pass(BEAT);
            DecodedFrames answer = DecodedFrames.of(channel.answered());
            assertEquals(BulkFrameKind.ANSWER, answer.kinds.get(0));
            assertEquals(BulkFrameKind.END, answer.kinds.get(answer.kinds.size() - 1));
            assertEquals(
                    100_000,
                    BulkWireFormat.parse(
                                    BulkFrameKind.LIST,
                                    ByteBuffer.wrap(answer.content.toByteArray()),
                                    BulkWireFormat::entries)
                            .size());
        }
    }

    @Test
    void anAbortedListingIsNotCreated() throws Exception {
        int[] asked = {0};
        served.serve("many", new Directory(() -> {
            asked[0]++;
            return List.of();
        }));
        try (EmbeddedServerConnection channel = new EmbeddedServerConnection(served, disk::add)) {
            channel.write(EmbeddedServerConnection.request(new BulkRequest.Listing("many")));
        }
        disk.remove().run();
        assertEquals(0, asked[0]);
    }

    @Test
    void pathsOfDiskErrorsAppearInTheLogOnly() throws Exception {
        served.serve("missing", new Failing(new NoSuchFileException(PLACE)));
        served.serve("denied", new Failing(new FileSystemException(PLACE, null, "Too many open files")));
        served.serve("told", new Failing(new IOException(PLACE + " (Is a directory)")));
        served.serve("broken", new Failing(new UncheckedIOException(new NoSuchFileException(PLACE))));
        for (String name : List.of("missing", "denied", "told", "broken")) {
            for (BulkRequest request :
                    List.of(new BulkRequest.Fetch(name, StreamRange.ALL), new BulkRequest.Listing(name))) {
                expectHidden(request);
            }
        }
    }

    @Test
    void pathsOfAStoreAppearInTheLogOnly() throws Exception {
        DirectoryContentStore store = store();
        served.accept(store);
        store.close();
        expectHidden(new BulkRequest.Offer(id(new byte[3]), 3), directory.toString());
    }

    @Test
    void theReasonOfADiskErrorIsReported() {
        assertEquals("No space left on device", DiskErrorMessages.of(new IOException("No space left on device")));
        assertEquals("Is a directory", DiskErrorMessages.of(new FileSystemException(PLACE, null, "Is a directory")));
        assertEquals("NoSuchFileException", DiskErrorMessages.of(new NoSuchFileException(PLACE)));
        assertEquals("IOException", DiskErrorMessages.of(new IOException("C:\\place: no")));
        assertEquals("IOException", DiskErrorMessages.of(new IOException()));
    }

    private void expectHidden(BulkRequest request) throws Exception {
        expectHidden(request, PLACE);
    }

    private void expectHidden(BulkRequest request, String place) throws Exception {
        try (EmbeddedServerConnection channel = new EmbeddedServerConnection(served, Runnable::run);
                RecordedLogs.Recording logs = RecordedLogs.begin()) {
            channel.write(EmbeddedServerConnection.request(request));
            BulkFailure failure = DecodedFrames.of(channel.answered()).failure(0);
            assertFalse(failure.text().contains(place), failure.text());
            assertTrue(failure.text().startsWith(request.subject()), failure.text());
            assertTrue(failure.code() == ErrorCode.DISK_FAILED || failure.code() == ErrorCode.INTERNAL, failure.text());
            assertTrue(
                    logs.lines().stream().anyMatch(line -> line.startsWith("WARN") && line.contains(place)),
                    () -> logs.lines().toString());
        }
    }

    private List<BulkFrameKind> beats(EmbeddedServerConnection channel, int count) throws Exception {
        for (int i = 0; i < count; i++) {
            channel.pass(BEAT);
        }
        return DecodedFrames.of(channel.answered()).kinds;
    }

    private DirectoryContentStore store() throws IOException {
        return DirectoryContentStore.open(directory.resolve("store"), BulkLimits.PIECE_BYTES);
    }

    private static ContentId id(byte[] content) {
        var digest = ContentId.digest();
        digest.update(content);
        return ContentId.of(digest);
    }

    private interface Entries {
        List<StreamEntry> make();
    }

    private record Directory(Entries entries) implements StreamProvider {
        @Override
        public Optional<StreamContent> open(String name) {
            return Optional.empty();
        }

        @Override
        public Optional<List<StreamEntry>> list(String name) {
            return Optional.of(entries.make());
        }
    }

    /** Fails with a given exception. */
    private record Failing(Exception failure) implements StreamProvider {
        @Override
        public Optional<StreamContent> open(String name) throws IOException {
            throw raised();
        }

        @Override
        public Optional<List<StreamEntry>> list(String name) throws IOException {
            throw raised();
        }

        private IOException raised() {
            if (failure instanceof RuntimeException mistake) {
                throw mistake;
            }
            return (IOException) failure;
        }
    }
}
