package dev.hearth.engine.internal.fetch;

import dev.hearth.engine.internal.disk.ReceivedFile;
import dev.hearth.engine.internal.disk.SingleSegmentFile;
import dev.hearth.engine.internal.disk.TemporaryFiles;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.BlockServerAddress;
import dev.hearth.engine.internal.protocol.ReplicationProtocol;
import dev.hearth.engine.internal.protocol.ReplicationProtocol.CachedBlockAnswer;
import dev.hearth.engine.internal.protocol.ReplicationProtocol.CachedBlockQuestion;
import dev.hearth.engine.internal.protocol.ReplicationProtocol.PageAnswer;
import dev.hearth.engine.internal.protocol.ReplicationProtocol.PageQuestion;
import dev.hearth.engine.internal.storage.BlockId;
import dev.hearth.engine.internal.storage.BlockWriter;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.error.Failures;
import dev.hearth.spi.shuffle.FileSegment;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Copies one cached block from another executor: page by page if the block is in memory there, otherwise as a file.
 * Starts again if the block moves to disk during the copy. Steps run one at a time on {@code work}; a caller cancels by
 * {@link #abort}. Invariant: the block writer is either passed to the caller by {@link #done} or discarded.
 */
final class CachedBlockFetch {
    private static final Logger LOG = LoggerFactory.getLogger(CachedBlockFetch.class);
    // more than one, because a block may move to disk once during the copy, and may be replaced
    private static final int ATTEMPTS_MAX = 3;

    private final FetchClient holders;
    private final BlockServerAddress holder;
    private final BlockId id;
    private final Executor work;
    private final Supplier<BlockWriter> drafts;
    private final TemporaryFiles files;
    private final boolean inPlace;
    private final CompletableFuture<BlockWriter> done = new CompletableFuture<>();
    private int attempts;
    private @Nullable BlockWriter draft;
    private volatile @Nullable CompletableFuture<?> underWay;

    /**
     * Prepares the copy of the block {@code id}, which the executor {@code holder} caches. If {@code inPlace} is set
     * and this process can see the block's file on disk, that file is read directly, without a transfer.
     */
    CachedBlockFetch(
            FetchClient holders,
            BlockServerAddress holder,
            BlockId id,
            Executor work,
            Supplier<BlockWriter> drafts,
            TemporaryFiles files,
            boolean inPlace) {
        this.holders = holders;
        this.holder = holder;
        this.id = id;
        this.work = work;
        this.drafts = drafts;
        this.files = files;
        this.inPlace = inPlace;
    }

    /** Starts the copy. The result completes with the writer of the complete block, which the caller then owns. */
    CompletableFuture<BlockWriter> start() {
        begin();
        return done;
    }

    /**
     * Cancels the copy and discards the partial block, unless the complete block was already passed to the caller.
     * Idempotent.
     */
    void abort() {
        RuntimeException unwanted = ErrorCode.TRANSFER_ABORTED.failure(id + ": cancelled, its reader has ended");
        CompletableFuture<?> waiting = underWay;
        if (!done.completeExceptionally(unwanted)) {
            if (!done.isCompletedExceptionally()) {
                done.join().discard();
            }
        } else if (waiting != null) {
            waiting.completeExceptionally(unwanted);
        }
    }

    private void begin() {
        discard();
        if (++attempts > ATTEMPTS_MAX) {
            throw changing();
        }
        CachedBlockQuestion question = new CachedBlockQuestion(id.dataset(), id.partition());
        then(holders.askCopy(holder, question, CachedBlockAnswer.class), this::answered);
    }

    /**
     * Runs {@code next} with the other executor's answer once it has arrived. If the answer is a failure, the copy
     * fails.
     */
    private <T> void then(CompletionStage<T> answer, Consumer<T> next) {
        underWay = answer.toCompletableFuture();
        answer.whenCompleteAsync(
                (value, failure) -> step(() -> {
                    if (failure != null) {
                        throw Failures.asHearth(failure, ErrorCode.INTERNAL, id.toString());
                    }
                    next.accept(value);
                }),
                work);
    }

    private void step(Runnable next) {
        try {
            if (done.isDone()) {
                discard();
            } else {
                next.run();
            }
        } catch (Throwable failure) { // catches Errors too, because a caller waits for the result
            discard();
            done.completeExceptionally(failure);
        }
    }

    private void answered(CachedBlockAnswer answer) {
        if (!answer.kept()) {
            throw ErrorCode.STREAM_MISSING.failure(
                    id + ": is no longer cached by executor " + holder.executor() + " (expected: cached)");
        }
        BlockWriter begun = drafts.get();
        draft = begun;
        if (answer.place().isEmpty()) {
            ask(begun, answer, 0, 0);
        } else if (answer.place().get().bytes() == 0) {
            begun.finish();
            complete(begun, answer);
        } else {
            takeFile(begun, answer, answer.place().get());
        }
    }

    private void ask(BlockWriter into, CachedBlockAnswer block, int chunk, int index) {
        PageQuestion question = new PageQuestion(id.dataset(), id.partition(), block.version(), chunk, index);
        then(holders.askCopy(holder, question, PageAnswer.class), page -> add(into, block, page));
    }

    private void add(BlockWriter into, CachedBlockAnswer block, PageAnswer page) {
        if (!page.kept()) {
            begin();
            return;
        }
        if (page.records() > 0) {
            page.bytes().read(bytes -> into.addPage(bytes, page.records()));
        }
        if (into.isClosed()) {
            throw noRoom();
        }
        if (page.last()) {
            into.finish();
            complete(into, block);
        } else {
            ask(into, block, page.chunk(), page.index());
        }
    }

    private void takeFile(BlockWriter into, CachedBlockAnswer block, FileSegment place) {
        if (inPlace && isHere(place)) {
            into.finishWith(new SingleSegmentFile(files, place, () -> {}), block.records());
            complete(into, block);
            return;
        }
        String name = ReplicationProtocol.KEPT + "/" + id.dataset() + "/" + id.partition() + "/" + block.version();
        FileDownload reception =
                new FileDownload(holders, holder, name, place.bytes(), () -> files.receive(id.toString()));
        CompletableFuture<ReceivedFile> whole = reception.start();
        underWay = whole;
        CompletionStage<ReceivedFile> coming = whole;
        coming.whenCompleteAsync(
                (file, failure) -> {
                    step(() -> {
                        if (failure != null) {
                            received(failure);
                        } else {
                            into.finishWith(file.part(place), block.records());
                            complete(into, block);
                        }
                    });
                    if (file != null) {
                        file.abandon(); // deletes the file, unless it was handed over before the copy was cancelled
                    }
                },
                work);
    }

    /**
     * Whether this process can read the file of a block that another executor wrote. An equal host name is no proof,
     * because hosts with the same name may have separate disks.
     */
    private static boolean isHere(FileSegment place) {
        try {
            return Files.size(Path.of(place.file())) >= place.offset() + place.bytes();
        } catch (IOException | InvalidPathException elsewhere) {
            LOG.debug("{}: is not on this machine; it is fetched", place.file(), elsewhere);
            return false;
        }
    }

    private void received(Throwable failure) {
        ErrorCode code = Failures.code(Failures.unwrap(failure));
        if (code != ErrorCode.STREAM_MISSING && code != ErrorCode.STREAM_CHANGED) {
            throw Failures.asHearth(failure, ErrorCode.INTERNAL, id.toString());
        }
        begin();
    }

    private void complete(BlockWriter finished, CachedBlockAnswer block) {
        if (!finished.isWhole()) {
            throw noRoom();
        }
        if (finished.records() != block.records()) {
            throw changing();
        }
        draft = null;
        if (!done.complete(finished)) {
            finished.discard();
        }
    }

    private void discard() {
        BlockWriter begun = draft;
        draft = null;
        if (begun != null) {
            begun.discard();
        }
    }

    private RuntimeException changing() {
        return ErrorCode.STREAM_CHANGED.failure(id + ": executor " + holder.executor()
                + " changed the block with each attempt (expected: a stable block while it is copied)");
    }

    private RuntimeException noRoom() {
        return ErrorCode.MEMORY_EXHAUSTED.failure(
                id + ": no space for a copy (expected: free memory, or free disk space if its storage level allows"
                        + " that)");
    }
}
