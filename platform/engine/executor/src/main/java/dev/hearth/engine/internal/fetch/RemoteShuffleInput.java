package dev.hearth.engine.internal.fetch;

import dev.hearth.api.HearthException;
import dev.hearth.engine.internal.disk.CorruptFileException;
import dev.hearth.engine.internal.disk.SegmentSource;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.BlockServerAddress;
import dev.hearth.engine.internal.shuffle.FetchFailedException;
import dev.hearth.engine.internal.shuffle.RemoteSegment;
import dev.hearth.engine.internal.shuffle.ShuffleInput;
import dev.hearth.engine.internal.shuffle.ShuffleReadContext;
import dev.hearth.engine.internal.shuffle.ShuffleSegment;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.error.Failures;
import dev.hearth.spi.shuffle.SegmentProtocol.CorruptionAnswer;
import dev.hearth.spi.shuffle.SegmentProtocol.CorruptionQuestion;
import dev.hearth.spi.shuffle.SegmentProtocol.SegmentLocation;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Input of one reducer from all executors, in the order of the map tasks. A segment is read from this executor's store,
 * read from a file on this machine, or fetched. A corrupt segment is fetched once more. If the bytes are corrupt again,
 * the executor that serves it is asked to verify its file. Owned by the task's thread.
 */
final class RemoteShuffleInput implements ShuffleInput {
    /** Error codes of a fetch to which the executor has answered, but whose segment is missing or corrupt there. */
    private static final Set<ErrorCode> CONTENT_FAILURES =
            Set.of(ErrorCode.STREAM_MISSING, ErrorCode.STREAM_CHANGED, ErrorCode.STREAM_DAMAGED, ErrorCode.DISK_FAILED);

    private final RemoteShuffleReader shuffles;
    private final MapOutputTable table;
    private final int reducer;
    private final FetchAwait waits;
    private final SegmentIndexClient answers;
    private final Prefetcher sent;
    private int next; // map task whose segment is read next
    private @Nullable SegmentLocation last; // last segment that was returned, if another executor has it
    private @Nullable ShuffleSegment lastLocal;
    private @Nullable FetchFailedException failed; // failure of the second fetch of the last segment

    RemoteShuffleInput(RemoteShuffleReader shuffles, MapOutputTable table, int reducer, ShuffleReadContext task) {
        this.shuffles = shuffles;
        this.table = table;
        this.reducer = reducer;
        this.waits = new FetchAwait(task, table.shuffle());
        this.answers = new SegmentIndexClient(shuffles, table, reducer, waits);
        this.sent = new Prefetcher(shuffles, table, reducer, waits, answers);
    }

    @Override
    public Optional<ShuffleSegment> next() throws FetchFailedException {
        sent.read();
        last = null;
        lastLocal = null;
        failed = null;
        while (next < table.maps()) {
            int map = next++;
            BlockServerAddress holder = table.holder(map);
            if (shuffles.isSelf(holder.executor())) {
                ShuffleSegment own = localSegment(map);
                if (own.records() > 0) {
                    lastLocal = own;
                    return Optional.of(own);
                }
            } else {
                answers.passed(map);
                Optional<SegmentLocation> part = answers.part(map);
                if (part.isPresent()) {
                    last = part.get();
                    return Optional.of(block(holder, part.get()));
                }
            }
        }
        return Optional.empty();
    }

    private ShuffleSegment localSegment(int map) throws FetchFailedException {
        return shuffles.store()
                .block(table.shuffle(), map, reducer)
                .orElseThrow(() -> waits.missing(List.of(map), shuffles.store().whyMissing(table.shuffle(), map)));
    }

    private ShuffleSegment block(BlockServerAddress holder, SegmentLocation part) throws FetchFailedException {
        SegmentSource source = shuffles.isSent(holder)
                ? arrived(part, sent.next(holder, part))
                : shuffles.files().source(part.place());
        RemoteSegmentSource.Refetch again = fileMissing -> fetchAgain(holder, part, fileMissing);
        return new RemoteSegment(
                part.records(),
                part.place(),
                () -> shuffles.files().open(part.place(), new RemoteSegmentSource(source, again)));
    }

    /**
     * Waits until {@code fetch}, the stream that contains the segment {@code part}, is complete. Returns the bytes of
     * the segment. If the stream fails, fetches this segment in a stream of its own.
     */
    private SegmentSource arrived(SegmentLocation part, SegmentStream fetch) throws FetchFailedException {
        BlockServerAddress holder = fetch.holder();
        try {
            waits.awaitPlain(holder, fetch.done());
            return fetch.source(part);
        } catch (HearthException failure) {
            Optional<RuntimeException> here = fetch.failureHere();
            if (here.isPresent()) {
                throw here.get();
            }
            if (!CONTENT_FAILURES.contains(Failures.code(failure))) {
                throw waits.unreachable(holder, part.map(), failure);
            }
            if (fetch.parts() > 1) {
                return arrived(part, sent.fetchAlone(holder, part));
            }
            throw explain(holder, part, Failures.describe(failure));
        }
    }

    private SegmentSource fetchAgain(BlockServerAddress holder, SegmentLocation part, boolean fileMissing)
            throws IOException {
        try {
            SegmentSource source = arrived(part, sent.fetchAlone(holder, part));
            if (fileMissing) {
                shuffles.disksNotShared(holder);
            }
            return source;
        } catch (FetchFailedException missing) {
            failed = missing;
            throw new IOException(missing.getMessage(), missing);
        }
    }

    @Override
    public FetchFailedException damaged(CorruptFileException damage) {
        FetchFailedException known = failed;
        if (known != null) {
            return known;
        }
        ShuffleSegment own = lastLocal;
        if (own != null) {
            return shuffles.store().damaged(own, damage);
        }
        SegmentLocation part = last;
        if (part == null) {
            throw new IllegalStateException("corrupt segment: none was returned (expected: one)", damage);
        }
        return explain(table.holder(part.map()), part, String.valueOf(damage.getMessage()));
    }

    /**
     * Asks an executor to verify a segment, and to delete the output if it is corrupt on disk. Returns the fetch
     * failure that the caller throws.
     */
    private FetchFailedException explain(BlockServerAddress holder, SegmentLocation part, String found) {
        CorruptionQuestion question = new CorruptionQuestion(table.shuffle(), part.map(), reducer);
        CorruptionAnswer answer;
        try {
            answer = waits.answer(
                    holder, part.map(), shuffles.holders().askCheck(holder, question, CorruptionAnswer.class));
        } catch (FetchFailedException unreachable) {
            return unreachable;
        }
        String what = answer.found().isEmpty()
                ? "intact on the disk of executor " + holder.executor() + " on " + holder.host()
                        + ", but corrupted in the transfer from it: " + found
                : "corrupt on the disk of executor " + holder.executor() + " on " + holder.host() + ": "
                        + answer.found();
        return new FetchFailedException(
                table.shuffle(),
                part.map(),
                answer.others(),
                "shuffle " + table.shuffle() + ", map task " + part.map() + ": " + what);
    }

    @Override
    public void close() {
        sent.close();
        answers.close();
    }
}
