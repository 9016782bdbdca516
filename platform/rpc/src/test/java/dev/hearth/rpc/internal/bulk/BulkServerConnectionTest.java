package dev.hearth.rpc.internal.bulk;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.net.Bytes;
import dev.hearth.spi.stream.ContentId;
import dev.hearth.spi.stream.StreamContent;
import dev.hearth.spi.stream.StreamProvider;
import dev.hearth.spi.stream.StreamRange;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.util.ReferenceCountUtil;
import java.io.ByteArrayOutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Reactions of a serving connection to requests, to silence, and to invalid bytes. */
class BulkServerConnectionTest {
    private static final int PIECE = BulkLimits.PIECE_BYTES;

    private final ServedStreams served = new ServedStreams();
    private final byte[] content = new byte[2 * PIECE + 5];

    @TempDir
    Path directory;

    BulkServerConnectionTest() {
        new Random(7).nextBytes(content);
    }

    @Test
    void chunksNeverCrossAPiece() throws Exception {
        served.serve("bytes", StreamProvider.bytes(Bytes.owning(content)));
        try (EmbeddedServerConnection channel = new EmbeddedServerConnection(served)) {
            channel.write(EmbeddedServerConnection.request(
                    new BulkRequest.Fetch("bytes", StreamRange.of(PIECE - 10, PIECE))));
            DecodedFrames answer = DecodedFrames.of(channel.answered());
            assertEquals(
                    List.of(BulkFrameKind.ANSWER, BulkFrameKind.CHUNK, BulkFrameKind.CHUNK, BulkFrameKind.END),
                    answer.kinds);
            assertEquals(PIECE, answer.content.size());
            assertEquals(0, answer.damaged);
        }
    }

    @Test
    void filesAreSentWithoutCopyUnlessAHandlerProcessesTheBytes() throws Exception {
        Path file = Files.write(directory.resolve("file"), content);
        served.serve("file", StreamProvider.file(file));
        byte[] request = EmbeddedServerConnection.request(new BulkRequest.Fetch("file", StreamRange.ALL));
        try (EmbeddedServerConnection plain = new EmbeddedServerConnection(served);
                EmbeddedServerConnection encrypted =
                        new EmbeddedServerConnection(served, new ChannelOutboundHandlerAdapter())) {
            plain.write(request);
            assertArrayEquals(
                    content, DecodedFrames.of(plain.answered()).content.toByteArray(), "as parts of the file");
            assertEquals(2, plain.regions); // the last five bytes are sent with their head
            encrypted.write(request);
            assertArrayEquals(
                    content, DecodedFrames.of(encrypted.answered()).content.toByteArray(), "as bytes");
            assertEquals(0, encrypted.regions);
        }
    }

    @Test
    void aStreamWithdrawnWhileItIsOpenedIsUnknownButALostFileIsADiskFailure() throws Exception {
        Path gone = directory.resolve("gone");
        StreamContent part = new StreamContent.FilePart(gone, 0, 10, "tag");
        int[] openings = {0};
        served.serve("withdrawn", name -> ++openings[0] == 1 ? Optional.of(part) : Optional.empty());
        served.serve("lost", name -> Optional.of(part));
        try (EmbeddedServerConnection channel = new EmbeddedServerConnection(served)) {
            for (String name : List.of("withdrawn", "lost")) {
                channel.write(EmbeddedServerConnection.request(new BulkRequest.Fetch(name, StreamRange.ALL)));
                DecodedFrames answer = DecodedFrames.of(channel.answered());
                assertEquals(List.of(BulkFrameKind.FAILURE), answer.kinds);
                assertEquals(
                        name.equals("lost") ? ErrorCode.DISK_FAILED : ErrorCode.STREAM_MISSING,
                        answer.failure(0).code());
            }
        }
    }

    @Test
    void aFileThatChangesWhileItIsSentFails() throws Exception {
        Path file = Files.write(directory.resolve("file"), content);
        StreamProvider provider = StreamProvider.file(file);
        int[] openings = {0};
        served.serve("file", name -> {
            if (++openings[0] == 2) {
                Files.write(file, new byte[3]);
            }
            return provider.open(name);
        });
        try (EmbeddedServerConnection channel = new EmbeddedServerConnection(served)) {
            channel.write(EmbeddedServerConnection.request(new BulkRequest.Fetch("file", StreamRange.of(0, 100))));
            DecodedFrames answer = DecodedFrames.of(channel.answered());
            assertEquals(List.of(BulkFrameKind.ANSWER, BulkFrameKind.CHUNK, BulkFrameKind.FAILURE), answer.kinds);
            assertEquals(ErrorCode.STREAM_CHANGED, answer.failure(2).code());
        }
    }

    @Test
    void moreRequestsThanAgreedOnEndTheConnection() throws Exception {
        served.serve("bytes", StreamProvider.bytes(Bytes.owning(content)));
        DirectoryContentStore store = DirectoryContentStore.open(directory.resolve("store"), PIECE);
        served.accept(store);
        try (EmbeddedServerConnection channel = new EmbeddedServerConnection(served);
                store) {
            channel.write(EmbeddedServerConnection.request(offer(new byte[10]))); // blocks the following requests
            byte[] one = EmbeddedServerConnection.request(new BulkRequest.Fetch("bytes", StreamRange.of(0, 1)));
            ByteArrayOutputStream many = new ByteArrayOutputStream();
            Collections.nCopies(BulkLimits.PIPELINED_REQUESTS_MAX, one).forEach(many::writeBytes);
            channel.write(many.toByteArray());
            assertTrue(channel.isOpen());
            channel.write(one);
            assertFalse(channel.isOpen());
            assertEquals(List.of(), channel.open);
        }
    }

    @Test
    void anUploadThatFallsSilentIsEndedAndItsPartKept() throws Exception {
        byte[] uploaded = new byte[100];
        DirectoryContentStore store = DirectoryContentStore.open(directory.resolve("store"), PIECE);
        served.accept(store);
        try (EmbeddedServerConnection channel = new EmbeddedServerConnection(served);
                store) {
            channel.write(EmbeddedServerConnection.request(offer(uploaded)));
            channel.write(EmbeddedServerConnection.chunk(new byte[40]));
            channel.pass(Duration.ofSeconds(50));
            assertTrue(channel.isOpen());
            channel.pass(Duration.ofSeconds(30));
            assertFalse(channel.isOpen());
            DecodedFrames answer = DecodedFrames.of(channel.answered());
            assertTrue(
                    answer.failure(1).text().contains("without a byte for 80000 ms"),
                    answer.failure(1).text());
            try (var incoming = store.receive(offer(uploaded).content(), 100)) {
                assertEquals(40, incoming.bytesHere());
            }
        }
    }

    @Test
    void anIdleConnectionIsClosedAfterAWhile() {
        try (EmbeddedServerConnection channel = new EmbeddedServerConnection(served)) {
            channel.pass(BulkLimits.SERVER_IDLE_MAX.minusSeconds(20));
            assertTrue(channel.isOpen());
            channel.pass(Duration.ofSeconds(40));
            assertFalse(channel.isOpen());
        }
    }

    @Test
    void anUploadThatEndsAsTheLaneClosesLeavesItsPartToTheStore() throws Exception {
        DirectoryContentStore store = DirectoryContentStore.open(directory.resolve("store"), PIECE);
        served.accept(store);
        AtomicInteger steps = new AtomicInteger();
        Executor closing = step -> {
            if (steps.incrementAndGet() > 1) {
                throw new RejectedExecutionException("closed");
            }
            step.run();
        };
        byte[] uploaded = new byte[100];
        try (EmbeddedServerConnection channel = new EmbeddedServerConnection(served, closing);
                store) {
            channel.write(EmbeddedServerConnection.request(offer(uploaded)));
            channel.write(EmbeddedServerConnection.chunk(uploaded));
            assertEquals(
                    ErrorCode.PEER_LOST,
                    DecodedFrames.of(channel.answered()).failure(1).code());
            try (var incoming = store.receive(offer(uploaded).content(), 100)) {
                assertEquals(100, incoming.bytesHere());
            }
        }
    }

    @Test
    void aDamagedChunkIsRefusedBeforeTheStoreSeesIt() throws Exception {
        DirectoryContentStore store = DirectoryContentStore.open(directory.resolve("store"), PIECE);
        served.accept(store);
        try (EmbeddedServerConnection channel = new EmbeddedServerConnection(served);
                store) {
            channel.write(EmbeddedServerConnection.request(offer(new byte[100])));
            channel.write(EmbeddedServerConnection.chunk(new byte[40], 12));
            assertEquals(
                    ErrorCode.STREAM_DAMAGED,
                    DecodedFrames.of(channel.answered()).failure(1).code());
            assertEquals(0, store.bytesHeld());
        }
    }

    @Test
    void aDamagedChunkLeavesThePartToTheNextAttempt() throws Exception {
        DirectoryContentStore store = DirectoryContentStore.open(directory.resolve("store"), PIECE);
        served.accept(store);
        BulkRequest.Offer offer = offer(new byte[100]);
        try (EmbeddedServerConnection channel = new EmbeddedServerConnection(served);
                store) {
            channel.write(EmbeddedServerConnection.request(offer));
            channel.write(EmbeddedServerConnection.chunk(new byte[30]));
            channel.write(EmbeddedServerConnection.chunk(new byte[40], 12));
            try (var incoming = store.receive(offer.content(), 100)) {
                assertEquals(30, incoming.bytesHere());
            }
        }
    }

    @Test
    void aFaultyPeerThatDoesNotReadIsClosed() {
        try (EmbeddedServerConnection channel = new EmbeddedServerConnection(served, new NeverWriting())) {
            channel.write(new byte[] {0, 0, 0, 0, 77});
            assertTrue(channel.isOpen(), "the last word may still leave");
            channel.pass(BulkLimits.LAST_WORD_MAX.plusSeconds(1));
            assertFalse(channel.isOpen());
        }
    }

    @Test
    void aChunkInManyPartsIsPutTogether() throws Exception {
        byte[] body = new byte[10_000];
        new Random(3).nextBytes(body);
        for (int step : new int[] {1, 7, 100, 1_000}) {
            DecodedFrames frames = DecodedFrames.of(EmbeddedServerConnection.chunk(body), step);
            assertArrayEquals(body, frames.content.toByteArray());
            assertEquals(0, frames.damaged);
            assertTrue(frames.partsMax <= BulkLimits.PARTS_PER_CHUNK_MAX);
        }
    }

    @Test
    void lengthsThatNoFrameHasAreRefusedBeforeTheirBytes() {
        for (byte[] bytes : List.of(
                new byte[] {0, 16, 0, 1, 4},
                new byte[] {-1, -1, -1, -1, 4},
                new byte[] {0, 0, 0x40, 1, 1},
                new byte[] {0, 0, 0, 1, 6},
                new byte[] {0, 0, 0, 0, 4},
                new byte[] {0, 0, 0, 1, 8},
                new byte[] {0, 0, 0, 0, 9})) {
            assertThrows(MalformedFrame.class, () -> DecodedFrames.of(bytes));
        }
    }

    @Test
    void emptyResponsesDoNotPileUpForAPeerThatDoesNotRead() {
        byte[] request = EmbeddedServerConnection.request(
                new BulkRequest.Fetch("n".repeat(BulkLimits.NAME_CHARS_MAX), StreamRange.ALL));
        try (EmbeddedServerConnection channel = new EmbeddedServerConnection(served, new NeverWriting())) {
            int sent = 0;
            while (channel.isOpen() && sent < 10_000) {
                channel.write(request);
                sent++;
                if (channel.open.isEmpty()) {
                    channel.pass(BulkLimits.LAST_WORD_MAX.plusSeconds(1));
                }
            }
            assertFalse(channel.isOpen(), "after " + sent + " requests");
            assertTrue(
                    channel.connection.snapshot().bytesQueued()
                            < BulkLimits.QUEUED_BYTES_MAX + BulkLimits.FRAME_BYTES_MAX,
                    () -> channel.connection.snapshot().toString());
        }
    }

    @Test
    void aReaderMayPauseBeforeTheEndOfAnAnswerAsLongAsInItsMiddle() {
        served.serve("bytes", StreamProvider.bytes(Bytes.owning(content)));
        try (EmbeddedServerConnection channel = new EmbeddedServerConnection(served, new NeverWriting())) {
            channel.write(EmbeddedServerConnection.request(new BulkRequest.Fetch("bytes", StreamRange.of(0, 10))));
            channel.pass(BulkLimits.SERVER_IDLE_MAX.plusMinutes(1));
            assertTrue(channel.isOpen(), "the answer has not left yet");
            channel.pass(BulkLimits.READER_PAUSE_MAX);
            assertFalse(channel.isOpen());
        }
    }

    @Test
    void theTimeOfAReaderBeginsWithWhatItIsSent() throws Exception {
        DirectoryContentStore store = DirectoryContentStore.open(directory.resolve("store"), PIECE);
        served.accept(store);
        NeverWriting full = new NeverWriting();
        full.open = true;
        BulkRequest.Offer offer = offer(new byte[100]);
        try (EmbeddedServerConnection channel = new EmbeddedServerConnection(served, full);
                store) {
            channel.write(EmbeddedServerConnection.request(offer));
            full.open = false;
            Duration between = Duration.ofSeconds(40);
            int chunks = (int) BulkLimits.READER_PAUSE_MAX.dividedBy(between) + 1;
            for (int i = 0; i < chunks; i++) { // a slow upload, during which nothing is sent to the other side
                channel.pass(between);
                channel.write(EmbeddedServerConnection.chunk(new byte[1]));
            }
            channel.write(EmbeddedServerConnection.chunk(new byte[100 - chunks]));
            assertTrue(store.find(offer.content()).isPresent());
            channel.pass(Duration.ofMinutes(1));
            assertTrue(channel.isOpen(), "the end has waited for a minute");
            channel.pass(BulkLimits.READER_PAUSE_MAX);
            assertFalse(channel.isOpen());
        }
    }

    @Test
    void aProviderThatFailsAfterAllWasSentFailsTheAnswerAndNotTheConnection() throws Exception {
        Path file = Files.write(directory.resolve("file"), content);
        StreamProvider provider = StreamProvider.file(file);
        List<String> opened = new ArrayList<>();
        served.serve("file", name -> {
            opened.add(name);
            if (opened.size() == 2) {
                throw new IllegalStateException("broken");
            }
            return provider.open(name);
        });
        byte[] request = EmbeddedServerConnection.request(new BulkRequest.Fetch("file", StreamRange.of(0, 10)));
        try (EmbeddedServerConnection channel = new EmbeddedServerConnection(served)) {
            channel.write(request);
            assertEquals(
                    List.of(BulkFrameKind.ANSWER, BulkFrameKind.CHUNK, BulkFrameKind.FAILURE),
                    DecodedFrames.of(channel.answered()).kinds);
            channel.write(request);
            assertEquals(
                    List.of(BulkFrameKind.ANSWER, BulkFrameKind.CHUNK, BulkFrameKind.END),
                    DecodedFrames.of(channel.answered()).kinds);
        }
    }

    private static BulkRequest.Offer offer(byte[] bytes) {
        var digest = ContentId.digest();
        digest.update(bytes);
        ContentId id = ContentId.of(digest);
        return new BulkRequest.Offer(id, bytes.length);
    }

    /** A peer whose window stays full, unless it is open. */
    private static final class NeverWriting extends ChannelOutboundHandlerAdapter {
        private boolean open;

        @Override
        public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) throws Exception {
            if (open) {
                super.write(context, message, promise);
            } else {
                ReferenceCountUtil.release(message);
            }
        }
    }
}
