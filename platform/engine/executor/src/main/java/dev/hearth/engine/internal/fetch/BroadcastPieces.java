package dev.hearth.engine.internal.fetch;

import dev.hearth.api.HearthException;
import dev.hearth.engine.internal.disk.PartitionedFile;
import dev.hearth.engine.internal.disk.ReceivedFile;
import dev.hearth.engine.internal.disk.TemporaryFiles;
import dev.hearth.engine.internal.protocol.BlockProtocol;
import dev.hearth.engine.internal.protocol.DriverProtocol.BroadcastFile;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.BlockServerAddress;
import dev.hearth.engine.internal.shuffle.ShuffleReadContext;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.error.Failures;
import dev.hearth.spi.shuffle.FileSegment;
import dev.hearth.spi.stream.StreamContent;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The pieces, or chunks, of one broadcast value that this executor has, each in a separate file. One task's thread at a
 * time fetches chunks, and other executors can read each chunk as soon as it has arrived. Guarded by its own lock.
 * {@link #close} deletes the files; chunks that arrive later are deleted at once.
 */
final class BroadcastPieces {
    /** Maximum number of chunks of one value that this executor fetches at the same time. */
    private static final int CHUNKS_AHEAD_MAX = 4;

    private static final List<ErrorCode> RETRIED_ELSEWHERE = List.of(
            ErrorCode.PEER_LOST,
            ErrorCode.PEER_UNREACHABLE,
            ErrorCode.ASK_TIMED_OUT,
            ErrorCode.ENDPOINT_BUSY,
            ErrorCode.STREAM_MISSING,
            ErrorCode.STREAM_CHANGED,
            ErrorCode.STREAM_DAMAGED);

    private final long id;
    private final BroadcastFile file;
    private final RemoteShuffleReader network;
    private final TemporaryFiles files;
    private final BlockServerAddress driver;
    private final Random random; // used only by the thread that fetches chunks
    private final @Nullable PartitionedFile[] chunks;
    private boolean closed;

    BroadcastPieces(
            long id, BroadcastFile file, RemoteShuffleReader network, TemporaryFiles files, BlockServerAddress driver) {
        this.id = id;
        this.file = file;
        this.network = network;
        this.files = files;
        this.driver = driver;
        this.random = new Random(31 * id + network.self().value().hashCode());
        this.chunks = new PartitionedFile[file.chunks()];
    }

    /**
     * Chunk that is being fetched. {@code others} are the executors to try in turn if the fetch fails, and {@code done}
     * completes with the chunk's file.
     */
    private record PendingChunk(int chunk, Iterator<BlockServerAddress> others, CompletableFuture<ReceivedFile> done) {
        /** Cancels the fetch of the chunk. If the chunk has already arrived, deletes its file. */
        void abandon() {
            boolean ended = !done.completeExceptionally(ErrorCode.TRANSFER_ABORTED.failure(
                    "chunk " + chunk + " of a broadcast: cancelled, its reader has ended"));
            if (ended && !done.isCompletedExceptionally()) {
                done.join().abandon();
            }
        }
    }

    /** Fetches missing chunks from executors that may have them, or from the driver if no executor has them. */
    void fetch(ShuffleReadContext task) {
        Deque<Integer> missing = missing();
        Deque<PendingChunk> coming = new ArrayDeque<>();
        try {
            while (!missing.isEmpty() || !coming.isEmpty()) {
                while (!missing.isEmpty() && coming.size() < CHUNKS_AHEAD_MAX) {
                    int chunk = missing.remove();
                    coming.add(begin(chunk, holders()));
                }
                PendingChunk first = coming.remove();
                awaitOrRetry(first, task).ifPresent(coming::addFirst);
            }
        } finally {
            coming.forEach(PendingChunk::abandon);
        }
    }

    /**
     * Waits for the chunk {@code coming}. If its fetch has failed, starts to fetch it from the next executor and
     * returns that fetch; empty if the chunk has arrived.
     */
    private Optional<PendingChunk> awaitOrRetry(PendingChunk coming, ShuffleReadContext task) {
        try {
            ReceivedFile received = task.await(coming.done, "chunk " + coming.chunk + " of broadcast " + id);
            keep(coming.chunk, received.part(new FileSegment("", id, coming.chunk, 0, 0)));
            return Optional.empty();
        } catch (HearthException failure) {
            if (!coming.others.hasNext() || !RETRIED_ELSEWHERE.contains(Failures.code(failure))) {
                coming.abandon(); // the download may still complete, so its file must be deleted
                throw failure;
            }
            return Optional.of(begin(coming.chunk, coming.others));
        } catch (RuntimeException ending) { // the task was killed
            coming.abandon();
            throw ending;
        }
    }

    private PendingChunk begin(int chunk, Iterator<BlockServerAddress> others) {
        BlockServerAddress from = others.next();
        String name = BlockProtocol.BROADCASTS + "/" + id + "/" + chunk;
        // Only a fetch from the driver is retried, because it has every chunk; each executor is asked once.
        int retries = from.equals(driver) ? network.settings().retries() : 0;
        FileDownload reception = new FileDownload(
                network.holders(),
                from,
                name,
                file.bytes(chunk),
                () -> files.receive("chunk " + chunk + " of broadcast " + id),
                retries);
        return new PendingChunk(chunk, others, reception.start());
    }

    /**
     * Returns the executors to ask, in turn, for one chunk. Those that may have it come first, in random order to
     * spread the load, and the driver last.
     */
    private Iterator<BlockServerAddress> holders() {
        List<BlockServerAddress> order = new ArrayList<>(file.holders());
        order.removeIf(holder -> network.isSelf(holder.executor()));
        Collections.shuffle(order, random);
        order.add(driver);
        return order.iterator();
    }

    private synchronized Deque<Integer> missing() {
        List<Integer> missing = new ArrayList<>();
        for (int chunk = 0; chunk < chunks.length; chunk++) {
            if (chunks[chunk] == null) {
                missing.add(chunk);
            }
        }
        Collections.shuffle(missing, random);
        return new ArrayDeque<>(missing);
    }

    private void keep(int chunk, PartitionedFile segment) {
        synchronized (this) {
            if (!closed) {
                chunks[chunk] = segment;
                return;
            }
        }
        segment.delete();
        throw ErrorCode.CONTEXT_CLOSED
                .failure("broadcast " + id
                        + ": was destroyed while it was read (expected: read before that); destroy it after the last job"
                        + " that reads it")
                .permanent();
    }

    /**
     * Returns the chunks of the value, in order, as segments of their files. Call it only once all chunks have arrived.
     */
    synchronized List<FileSegment> parts() {
        List<FileSegment> parts = new ArrayList<>();
        for (PartitionedFile chunk : chunks) {
            if (chunk != null) {
                parts.add(chunk.segment(0));
            }
        }
        return parts;
    }

    synchronized Optional<StreamContent> content(int chunk) {
        PartitionedFile held = chunk < chunks.length ? chunks[chunk] : null;
        return Optional.ofNullable(held).map(segment -> BlockServer.content(segment.segment(0)));
    }

    void close() {
        List<PartitionedFile> held = new ArrayList<>();
        synchronized (this) {
            closed = true;
            for (int chunk = 0; chunk < chunks.length; chunk++) {
                PartitionedFile segment = chunks[chunk];
                chunks[chunk] = null;
                if (segment != null) {
                    held.add(segment);
                }
            }
        }
        held.forEach(PartitionedFile::delete);
    }
}
