package dev.hearth.testkit.rpc;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.net.Bytes;
import dev.hearth.spi.net.Registration;
import dev.hearth.spi.net.RpcAddress;
import dev.hearth.spi.stream.ContentId;
import dev.hearth.spi.stream.ContentStore;
import dev.hearth.spi.stream.StreamContent;
import dev.hearth.spi.stream.StreamEntry;
import dev.hearth.spi.stream.StreamInfo;
import dev.hearth.spi.stream.StreamProvider;
import dev.hearth.spi.stream.StreamRange;
import dev.hearth.spi.stream.StreamSink;
import dev.hearth.spi.stream.Streams;
import dev.hearth.spi.stream.Transfer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests on serving, fetching and uploading bulk data that every implementation of {@link Streams} must pass. */
public abstract class StreamsContract extends RpcContract {
    private static final int SIZE = 300_000;
    private static final String TAG = "tag-1";

    @TempDir
    Path directory = Path.of("");

    @Test
    void fetchesCompleteContentsFromMemoryAndFromAFile() throws Exception {
        Party server = listening();
        byte[] content = content(SIZE);
        Path file = Files.write(directory.resolve("block"), content);
        server.env().streams().serve("memory", name -> inMemory(content));
        server.env()
                .streams()
                .serve("file", name -> Optional.of(new StreamContent.FilePart(file, 0, content.length, TAG)));
        for (String name : List.of("memory/a", "file/a")) {
            Collector sink = new Collector();
            StreamInfo info = await(streams()
                    .fetch(address(server), name, StreamRange.ALL, sink)
                    .done());
            assertEquals(new StreamInfo(SIZE, TAG, 0, SIZE), info);
            assertEquals(info, sink.info());
            assertArrayEquals(content, sink.bytes());
        }
    }

    @Test
    void fetchesPartsOfFilesAsOneContent() throws Exception {
        Party server = listening();
        byte[] content = content(4 * SIZE);
        Path one = Files.write(directory.resolve("one"), content);
        Path other = Files.write(directory.resolve("other"), content(SIZE));
        List<StreamContent.FilePart> parts = List.of(
                new StreamContent.FilePart(one, 5, 0, TAG),
                new StreamContent.FilePart(one, 100, 7, TAG),
                new StreamContent.FilePart(other, 0, SIZE, TAG),
                new StreamContent.FilePart(one, 3, 4 * SIZE - 3, TAG),
                new StreamContent.FilePart(other, 1, 2, TAG),
                new StreamContent.FilePart(other, 9, 0, TAG));
        server.env().streams().serve("files", name -> Optional.of(new StreamContent.FileParts(parts, TAG)));
        ByteArrayOutputStream expected = new ByteArrayOutputStream();
        for (StreamContent.FilePart part : parts) {
            byte[] file = Files.readAllBytes(part.file());
            expected.write(file, (int) part.offset(), (int) part.size());
        }
        Collector whole = new Collector();
        StreamInfo info = await(streams()
                .fetch(address(server), "files/a", StreamRange.ALL, whole)
                .done());
        assertEquals(new StreamInfo(expected.size(), TAG, 0, expected.size()), info);
        assertArrayEquals(expected.toByteArray(), whole.bytes());
        Collector piece = new Collector();
        await(streams()
                .fetch(address(server), "files/a", StreamRange.of(SIZE - 9, SIZE), piece)
                .done());
        assertArrayEquals(Arrays.copyOfRange(expected.toByteArray(), SIZE - 9, 2 * SIZE - 9), piece.bytes());
        Files.delete(other);
        assertTrue(
                List.of(ErrorCode.STREAM_CHANGED.name(), ErrorCode.DISK_FAILED.name())
                        .contains(code(server, "files/a", StreamRange.ALL)),
                "a file that is gone is noticed when it is opened, at the latest when its turn has come");
        Collector begun = new Collector();
        await(streams()
                .fetch(address(server), "files/a", StreamRange.of(0, 7), begun)
                .done());
        assertArrayEquals(Arrays.copyOfRange(content, 100, 107), begun.bytes());
    }

    @Test
    void passesTheRestOfTheNameToTheProviderOfTheLongestPrefix() throws Exception {
        Party server = listening();
        Streams served = server.env().streams();
        served.serve("jars", name -> inMemory(("jars:" + name).getBytes(StandardCharsets.UTF_8)));
        Registration deeper =
                served.serve("jars/app", name -> inMemory(("app:" + name).getBytes(StandardCharsets.UTF_8)));
        assertEquals("jars:x/y.jar", text(server, "jars/x/y.jar"));
        assertEquals("app:y.jar", text(server, "jars/app/y.jar"));
        assertEquals("jars:apple", text(server, "jars/apple"));
        deeper.close();
        assertEquals("jars:app/y.jar", text(server, "jars/app/y.jar"));
        assertEquals(ErrorCode.STREAM_MISSING.name(), code(server, "jar", StreamRange.ALL));
    }

    @Test
    void fetchesRangesAndResumesTheSameVersion() throws Exception {
        Party server = listening();
        byte[] content = content(SIZE);
        server.env().streams().serve("blocks", name -> inMemory(content));
        Collector part = new Collector();
        StreamInfo info = await(streams()
                .fetch(address(server), "blocks/1", StreamRange.of(100, 1_000), part)
                .done());
        assertEquals(new StreamInfo(SIZE, TAG, 100, 1_000), info);
        assertArrayEquals(Arrays.copyOfRange(content, 100, 1_100), part.bytes());
        Collector rest = new Collector();
        await(streams()
                .fetch(address(server), "blocks/1", StreamRange.rest(SIZE - 7, TAG), rest)
                .done());
        assertArrayEquals(Arrays.copyOfRange(content, SIZE - 7, SIZE), rest.bytes());
        assertEquals(ErrorCode.STREAM_CHANGED.name(), code(server, "blocks/1", StreamRange.rest(7, "another")));
    }

    @Test
    void handlesTheEdgesOfARange() throws Exception {
        Party server = listening();
        byte[] content = content(SIZE);
        server.env().streams().serve("blocks", name -> inMemory(name.equals("empty") ? content(0) : content));
        Collector end = new Collector();
        StreamInfo info = await(streams()
                .fetch(address(server), "blocks/1", StreamRange.of(SIZE, 10), end)
                .done());
        assertEquals(new StreamInfo(SIZE, TAG, SIZE, 0), info);
        assertEquals(0, end.bytes().length);
        assertEquals("", text(server, "blocks/empty"));
        assertEquals(ErrorCode.BAD_ARGUMENT.name(), code(server, "blocks/1", StreamRange.of(SIZE + 1, 1)));
    }

    @Test
    void reportsTheFailureOfAProvider() throws Exception {
        Party server = listening();
        server.env().streams().serve("disk", name -> {
            throw new IOException("no such device");
        });
        server.env().streams().serve("mistake", name -> {
            throw new IllegalStateException("broken");
        });
        assertEquals(ErrorCode.DISK_FAILED.name(), code(server, "disk/1", StreamRange.ALL));
        assertEquals(ErrorCode.INTERNAL.name(), code(server, "mistake/1", StreamRange.ALL));
    }

    @Test
    void servesTheWholeTreeUnderTheEmptyPrefix() throws Exception {
        Party server = listening();
        server.env().streams().serve("", name -> inMemory(("top:" + name).getBytes(StandardCharsets.UTF_8)));
        server.env().streams().serve("jars/", name -> inMemory(("jars:" + name).getBytes(StandardCharsets.UTF_8)));
        assertEquals("top:x/y", text(server, "x/y"));
        assertEquals("jars:y", text(server, "jars/y"));
    }

    @Test
    void namesAMissingStream() throws Exception {
        Party server = listening();
        Registration registration = server.env()
                .streams()
                .serve("blocks", name -> name.equals("1") ? inMemory(content(1)) : Optional.empty());
        assertEquals(ErrorCode.STREAM_MISSING.name(), code(server, "blocks/2", StreamRange.ALL));
        assertEquals(ErrorCode.STREAM_MISSING.name(), code(server, "other/1", StreamRange.ALL));
        assertEquals(ErrorCode.BAD_ARGUMENT.name(), code(server, "blocks/../1", StreamRange.ALL));
        registration.close();
        assertEquals(ErrorCode.STREAM_MISSING.name(), code(server, "blocks/1", StreamRange.ALL));
    }

    @Test
    void servesOnlyOneScope() throws Exception {
        Party server = listening();
        server.env().scope("app", Optional.empty()).streams().serve("blocks", name -> inMemory(content(1)));
        assertEquals(ErrorCode.STREAM_MISSING.name(), code(server, "blocks/1", StreamRange.ALL));
        Streams inside = connecting().env().scope("app", Optional.empty()).streams();
        Collector sink = new Collector();
        await(inside.fetch(address(server), "blocks/1", StreamRange.ALL, sink).done());
        assertArrayEquals(content(1), sink.bytes());
    }

    @Test
    void failsWithoutAServer() {
        Party gone = listening();
        RpcAddress address = address(gone);
        gone.env().close();
        assertEquals(
                ErrorCode.PEER_UNREACHABLE.name(),
                failureCode(streams()
                        .fetch(address, "blocks/1", StreamRange.ALL, new Collector())
                        .done()));
    }

    @Test
    void listsADirectorySortedByName() throws Exception {
        Party server = listening();
        server.env().streams().serve("files", new Directory());
        assertEquals(
                List.of(new StreamEntry("a", true, 0), new StreamEntry("b", false, 3), new StreamEntry("c", false, 1)),
                await(streams().list(address(server), "files/top")));
        assertEquals(ErrorCode.STREAM_MISSING.name(), failureCode(streams().list(address(server), "files/nowhere")));
    }

    @Test
    void downloadsACompleteFileOrNothing() throws Exception {
        Party server = listening();
        byte[] content = content(SIZE);
        server.env().streams().serve("jars", name -> name.equals("app.jar") ? inMemory(content) : Optional.empty());
        Path target = directory.resolve("downloaded.jar");
        assertEquals(
                SIZE,
                await(streams().download(address(server), "jars/app.jar", target))
                        .size());
        assertArrayEquals(content, Files.readAllBytes(target));
        Path missing = directory.resolve("missing.jar");
        assertEquals(
                ErrorCode.STREAM_MISSING.name(),
                failureCode(streams().download(address(server), "jars/no.jar", missing)));
        assertFalse(Files.exists(missing));
    }

    @Test
    void uploadsContentOnce() throws Exception {
        Party server = listening();
        MemoryContentStore store = new MemoryContentStore(directory.resolve("store"));
        byte[] content = content(SIZE);
        Path file = Files.write(directory.resolve("app.jar"), content);
        assertEquals(
                ErrorCode.STREAM_MISSING.name(),
                failureCode(streams().upload(address(server), file)),
                "nobody takes uploads yet");
        server.env().streams().accept(store);
        ContentId id = await(streams().upload(address(server), file));
        assertEquals(id, await(streams().upload(address(server), file)));
        assertArrayEquals(content, Files.readAllBytes(store.find(id).orElseThrow()));
        assertEquals(1, store.added);
        store.room = 0;
        Path other = Files.write(directory.resolve("other.jar"), content(10));
        assertEquals(ErrorCode.STORE_FULL.name(), failureCode(streams().upload(address(server), other)));
    }

    @Test
    void closingARegistrationTwiceKeepsItsSuccessor() throws Exception {
        Party server = listening();
        Streams served = server.env().streams();
        StreamProvider provider = name -> inMemory(content(10));
        Registration first = served.serve("blocks", provider);
        first.close();
        Registration second = served.serve("blocks", provider);
        first.close();
        assertFalse(text(server, "blocks/1").isEmpty(), "still served");
        second.close();
        assertEquals(ErrorCode.STREAM_MISSING.name(), code(server, "blocks/1", StreamRange.ALL));

        MemoryContentStore store = new MemoryContentStore(directory.resolve("store"));
        Path file = Files.write(directory.resolve("app.jar"), content(10));
        Registration taking = served.accept(store);
        taking.close();
        Registration takingAgain = served.accept(store);
        taking.close();
        ContentId id = await(streams().upload(address(server), file));
        assertTrue(store.find(id).isPresent());
        takingAgain.close();
        assertEquals(ErrorCode.STREAM_MISSING.name(), failureCode(streams().upload(address(server), file)));
    }

    @Test
    void abortsATransfer() throws Exception {
        Party server = listening();
        byte[] content = content(SIZE);
        server.env().streams().serve("blocks", name -> inMemory(content));
        Transfer transfer = streams().fetch(address(server), "blocks/1", StreamRange.ALL, new Collector());
        transfer.abort();
        assertEquals(ErrorCode.TRANSFER_ABORTED.name(), failureCode(transfer.done()));
        Collector sink = new Collector();
        await(streams()
                .fetch(address(server), "blocks/1", StreamRange.ALL, sink)
                .done());
        assertArrayEquals(content, sink.bytes());
    }

    @Test
    void waitsWhileItIsPaused() throws Exception {
        Party server = listening();
        byte[] content = content(SIZE);
        CompletableFuture<@Nullable Void> opened = new CompletableFuture<>();
        server.env().streams().serve("blocks", name -> {
            opened.complete(null);
            return inMemory(content);
        });
        Collector sink = new Collector();
        Transfer transfer = streams().fetch(address(server), "blocks/1", StreamRange.ALL, sink);
        transfer.pause();
        await(opened);
        transfer.resume();
        await(transfer.done());
        assertArrayEquals(content, sink.bytes());
    }

    @Test
    void reportsServedStreams() {
        Party server = listening();
        server.env().streams().serve("blocks", name -> Optional.empty());
        assertEquals(List.of("blocks"), server.env().snapshot().scopes().get(0).streams());
    }

    private Streams streams() {
        return connecting().env().streams();
    }

    private String code(Party server, String name, StreamRange range) {
        return failureCode(
                streams().fetch(address(server), name, range, new Collector()).done());
    }

    private String text(Party server, String name) throws Exception {
        Collector sink = new Collector();
        await(streams().fetch(address(server), name, StreamRange.ALL, sink).done());
        return new String(sink.bytes(), StandardCharsets.UTF_8);
    }

    private static RpcAddress address(Party server) {
        return server.env().address().orElseThrow();
    }

    private static Optional<StreamContent> inMemory(byte[] content) {
        return Optional.of(new StreamContent.InMemory(Bytes.owning(content.clone()), TAG));
    }

    private static byte[] content(int size) {
        byte[] content = new byte[size];
        new Random(size).nextBytes(content);
        return content;
    }

    /**
     * Collects the bytes of a transfer in memory. One thread fills it; another thread reads it after the end of the
     * transfer.
     */
    private static final class Collector implements StreamSink {
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        private Optional<StreamInfo> info = Optional.empty();

        @Override
        public synchronized void opened(StreamInfo opened) {
            assertTrue(info.isEmpty(), "opened once");
            info = Optional.of(opened);
        }

        @Override
        public synchronized void received(ByteBuffer buffer) {
            assertTrue(info.isPresent(), "opened first");
            byte[] piece = new byte[buffer.remaining()];
            buffer.get(piece);
            bytes.writeBytes(piece);
        }

        synchronized byte[] bytes() {
            return bytes.toByteArray();
        }

        synchronized StreamInfo info() {
            return info.orElseThrow();
        }
    }

    /** Stream provider whose only directory has three entries, which it lists unsorted. */
    private static final class Directory implements StreamProvider {
        @Override
        public Optional<StreamContent> open(String name) {
            return Optional.empty();
        }

        @Override
        public Optional<List<StreamEntry>> list(String name) {
            return name.equals("top")
                    ? Optional.of(List.of(
                            new StreamEntry("b", false, 3),
                            new StreamEntry("a", true, 0),
                            new StreamEntry("c", false, 1)))
                    : Optional.empty();
        }
    }

    /** Content store for the tests, with a configurable size limit and an index in memory. */
    private static final class MemoryContentStore implements ContentStore {
        private final Path place;
        private final Map<ContentId, Path> files =
                new TreeMap<>((a, b) -> a.sha256().compareTo(b.sha256()));
        private volatile int added;
        private volatile long room = Long.MAX_VALUE;

        MemoryContentStore(Path place) throws IOException {
            this.place = Files.createDirectories(place);
        }

        @Override
        public synchronized Optional<Path> find(ContentId content) {
            return Optional.ofNullable(files.get(content));
        }

        @Override
        public synchronized List<HeldContent> contents() throws IOException {
            List<HeldContent> held = new ArrayList<>();
            for (Map.Entry<ContentId, Path> file : files.entrySet()) {
                held.add(new HeldContent(file.getKey(), Files.size(file.getValue())));
            }
            return held;
        }

        @Override
        public synchronized ContentId add(Path file) throws IOException {
            byte[] bytes = Files.readAllBytes(file);
            if (bytes.length > room) {
                throw ErrorCode.STORE_FULL.failure(
                        "store: " + bytes.length + " bytes (expected: at most " + room + ")");
            }
            return keep(bytes);
        }

        @Override
        public void removePartial(Instant before) {
            // uploads that end early leave nothing here
        }

        @Override
        public synchronized Incoming receive(ContentId content, long size) {
            if (size > room) {
                throw ErrorCode.STORE_FULL.failure("store: " + size + " bytes (expected: at most " + room + ")");
            }
            return new IncomingContent(content);
        }

        private synchronized ContentId keep(byte[] bytes) throws IOException {
            ContentId id = id(bytes);
            files.put(id, Files.write(place.resolve(id.sha256()), bytes));
            added++;
            return id;
        }

        /** Content being received. */
        private final class IncomingContent implements Incoming {
            private final ContentId content;
            private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

            IncomingContent(ContentId content) {
                this.content = content;
            }

            @Override
            public long bytesHere() {
                return bytes.size();
            }

            @Override
            public void write(ByteBuffer part) {
                byte[] copied = new byte[part.remaining()];
                part.get(copied);
                bytes.writeBytes(copied);
            }

            @Override
            public void finish() throws IOException {
                if (!id(bytes.toByteArray()).equals(content)) {
                    throw ErrorCode.STREAM_DAMAGED.failure("store: other bytes (expected: " + content + ")");
                }
                keep(bytes.toByteArray());
            }

            @Override
            public void close() {
                // this store keeps no partial uploads
            }
        }

        @Override
        public synchronized void remove(ContentId content) {
            files.remove(content);
        }

        @Override
        public synchronized long bytesHeld() {
            return files.size();
        }

        @Override
        public void close() {
            // the test owns the directory
        }

        private static ContentId id(byte[] bytes) {
            MessageDigest digest = ContentId.digest();
            digest.update(bytes);
            return ContentId.of(digest);
        }
    }
}
