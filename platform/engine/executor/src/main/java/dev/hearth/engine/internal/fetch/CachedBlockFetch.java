package dev.hearth.engine.internal.fetch;

import dev.hearth.engine.internal.disk.FileSegment;
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
 * One block on its way here from an executor that keeps it: page after page where it is in memory, so that one is under way at a
 * time, else its file. What moves to disk meanwhile is begun with again. One step runs at a time, on {@code work}; whoever waits
 * may end it by completing {@link #done}. Invariant: the draft is {@link #done}'s or discarded.
 */
final class CachedBlockFetch {
    private static final Logger LOG = LoggerFactory.getLogger(CachedBlockFetch.class);
    private static final int BEGINNINGS_MAX = 3; // a block moves to disk once, and may be kept anew

    private final FetchClient holders;
    private final BlockServerAddress holder;
    private final BlockId id;
    private final Executor work;
    private final Supplier<BlockWriter> drafts;
    private final TemporaryFiles files;
    private final boolean inPlace;
    private final CompletableFuture<BlockWriter> done = new CompletableFuture<>();
    private int beginnings;
    private @Nullable BlockWriter draft;
    private volatile @Nullable CompletableFuture<?> underWay;

    /** {@code inPlace}: a file of that executor can be read here where it lies, if it is to be seen, and need not be copied. */
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

    /** Begins; completes with all of the block, which is the caller's then. */
    CompletableFuture<BlockWriter> start() {
        begin();
        return done;
    }

    /** Nobody wants it any more: what it holds goes, unless that was handed over. Later calls do nothing. */
    void abort() {
        RuntimeException unwanted = ErrorCode.TRANSFER_ABORTED.failure(id + ": not wanted any more");
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
        if (++beginnings > BEGINNINGS_MAX) {
            throw changing();
        }
        CachedBlockQuestion question = new CachedBlockQuestion(id.dataset(), id.partition());
        then(holders.askCopy(holder, question, CachedBlockAnswer.class), this::answered);
    }

    /** Goes on with an answer; whatever fails ends it. */
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
        } catch (Throwable failure) { // an Error too: somebody waits
            discard();
            done.completeExceptionally(failure);
        }
    }

    private void answered(CachedBlockAnswer answer) {
        if (!answer.kept()) {
            throw ErrorCode.STREAM_MISSING.failure(
                    id + ": is not kept by executor " + holder.executor() + " any more (expected: kept)");
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
        if (into.isOver()) {
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
                        file.abandon(); // nothing, unless it came when nobody wanted it any more
                    }
                },
                work);
    }

    /** Hosts of one name may have disks of their own. */
    private static boolean isHere(FileSegment place) {
        try {
            return Files.size(Path.of(place.file())) >= place.offset() + place.bytes();
        } catch (IOException | InvalidPathException elsewhere) {
            LOG.debug("{}: is not on this machine, and sent here", place.file(), elsewhere);
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
                + " keeps something else each time it is asked (expected: the same while it is copied)");
    }

    private RuntimeException noRoom() {
        return ErrorCode.MEMORY_EXHAUSTED.failure(
                id + ": there is no room for a copy (expected: memory for it, or a disk)");
    }
}
