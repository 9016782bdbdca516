package dev.hearth.engine.internal.fetch;

import dev.hearth.api.HearthException;
import dev.hearth.engine.internal.disk.FileSegment;
import dev.hearth.engine.internal.disk.PartitionedFile;
import dev.hearth.engine.internal.disk.ReceivedFile;
import dev.hearth.engine.internal.disk.TemporaryFiles;
import dev.hearth.engine.internal.protocol.BlockProtocol;
import dev.hearth.engine.internal.protocol.DriverProtocol.BroadcastFile;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.BlockServerAddress;
import dev.hearth.engine.internal.shuffle.ShuffleReadContext;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.error.Failures;
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
 * The chunks of one broadcast value that an executor has, each in a file of its own; fetched by one task's thread at a time, and
 * served from the first one on. Guarded by itself. OPEN until closed; then its files are gone, and what still comes goes too.
 */
final class BroadcastPieces {
    /** How many chunks are on their way at once. */
    private static final int CHUNKS_AHEAD_MAX = 4;

    private static final List<ErrorCode> ELSEWHERE = List.of(
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
    private final Random random; // for the fetching thread
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

    /** A chunk on its way, and who is asked next if it does not come. */
    private record Coming(int chunk, Iterator<BlockServerAddress> others, CompletableFuture<ReceivedFile> done) {
        /** Nobody wants it any more, though it may be here already. */
        void abandon() {
            boolean ended = !done.completeExceptionally(
                    ErrorCode.TRANSFER_ABORTED.failure("chunk " + chunk + " of a broadcast: not wanted any more"));
            if (ended && !done.isCompletedExceptionally()) {
                done.join().abandon();
            }
        }
    }

    /** Fetches what is missing: from executors that may have it, from the driver where none gives it. */
    void fetch(ShuffleReadContext task) {
        Deque<Integer> missing = missing();
        Deque<Coming> coming = new ArrayDeque<>();
        try {
            while (!missing.isEmpty() || !coming.isEmpty()) {
                while (!missing.isEmpty() && coming.size() < CHUNKS_AHEAD_MAX) {
                    int chunk = missing.remove();
                    coming.add(begin(chunk, holders()));
                }
                Coming first = coming.remove();
                again(first, task).ifPresent(coming::addFirst);
            }
        } finally {
            coming.forEach(Coming::abandon);
        }
    }

    /** Waits for a chunk; what did not come from one comes from the next. */
    private Optional<Coming> again(Coming coming, ShuffleReadContext task) {
        try {
            ReceivedFile received = task.await(coming.done, "chunk " + coming.chunk + " of broadcast " + id);
            keep(coming.chunk, received.part(new FileSegment("", id, coming.chunk, 0, 0)));
            return Optional.empty();
        } catch (HearthException failure) {
            if (!coming.others.hasNext() || !ELSEWHERE.contains(Failures.code(failure))) {
                coming.abandon(); // it may come yet
                throw failure;
            }
            return Optional.of(begin(coming.chunk, coming.others));
        } catch (RuntimeException ending) { // the task was told to
            coming.abandon();
            throw ending;
        }
    }

    private Coming begin(int chunk, Iterator<BlockServerAddress> others) {
        BlockServerAddress from = others.next();
        String name = BlockProtocol.BROADCASTS + "/" + id + "/" + chunk;
        int retries = from.equals(driver) ? network.settings().retries() : 0; // others need not be waited for
        FileDownload reception = new FileDownload(
                network.holders(),
                from,
                name,
                file.bytes(chunk),
                () -> files.receive("chunk " + chunk + " of broadcast " + id),
                retries);
        return new Coming(chunk, others, reception.start());
    }

    /** Whom to ask for one chunk, in turn: so that not all ask the same. */
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
        throw ErrorCode.CONTEXT_CLOSED.failure("broadcast " + id
                + ": was destroyed while it was read (expected: read before that); destroy it after the last job that"
                + " reads it");
    }

    /** Where they lie, in order, once they are all here. */
    synchronized List<FileSegment> parts() {
        List<FileSegment> parts = new ArrayList<>();
        for (PartitionedFile chunk : chunks) {
            if (chunk != null) {
                parts.add(chunk.place(0));
            }
        }
        return parts;
    }

    synchronized Optional<StreamContent> content(int chunk) {
        PartitionedFile held = chunk < chunks.length ? chunks[chunk] : null;
        return Optional.ofNullable(held).map(segment -> BlockServer.content(segment.place(0)));
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
