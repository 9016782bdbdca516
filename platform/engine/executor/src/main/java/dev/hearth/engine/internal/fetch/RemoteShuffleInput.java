package dev.hearth.engine.internal.fetch;

import dev.hearth.api.HearthException;
import dev.hearth.engine.internal.disk.CorruptFileException;
import dev.hearth.engine.internal.disk.SegmentSource;
import dev.hearth.engine.internal.protocol.BlockProtocol.CorruptionAnswer;
import dev.hearth.engine.internal.protocol.BlockProtocol.CorruptionQuestion;
import dev.hearth.engine.internal.protocol.BlockProtocol.SegmentLocation;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.BlockServerAddress;
import dev.hearth.engine.internal.shuffle.FetchFailedException;
import dev.hearth.engine.internal.shuffle.RemoteSegment;
import dev.hearth.engine.internal.shuffle.ShuffleInput;
import dev.hearth.engine.internal.shuffle.ShuffleReadContext;
import dev.hearth.engine.internal.shuffle.ShuffleSegment;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.error.Failures;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What all map tasks have for one reader, wherever they ran, in the order of the map tasks: from this executor's store, from disks
 * of this machine, or sent here. What comes otherwise than it was written is sent once more; if that is no better its holder is
 * asked what lies on its disk. Owned by the task's thread.
 */
final class RemoteShuffleInput implements ShuffleInput {
    /** The holder is there, and what it should have cannot be read as it was. */
    private static final Set<ErrorCode> OF_CONTENT =
            Set.of(ErrorCode.STREAM_MISSING, ErrorCode.STREAM_CHANGED, ErrorCode.STREAM_DAMAGED, ErrorCode.DISK_FAILED);

    private final RemoteShuffleReader shuffles;
    private final MapOutputTable table;
    private final int reader;
    private final FetchAwait waits;
    private final SegmentIndexClient answers;
    private final Prefetcher sent;
    private int next; // the map task whose block is given out next
    private @Nullable SegmentLocation last; // given out, and none of ours
    private @Nullable ShuffleSegment lastOwn;
    private @Nullable FetchFailedException failed; // sending the last one once more

    RemoteShuffleInput(RemoteShuffleReader shuffles, MapOutputTable table, int reader, ShuffleReadContext task) {
        this.shuffles = shuffles;
        this.table = table;
        this.reader = reader;
        this.waits = new FetchAwait(task, table.shuffle());
        this.answers = new SegmentIndexClient(shuffles, table, reader, waits);
        this.sent = new Prefetcher(shuffles, table, reader, waits, answers);
    }

    @Override
    public Optional<ShuffleSegment> next() throws FetchFailedException {
        sent.read();
        last = null;
        lastOwn = null;
        failed = null;
        while (next < table.maps()) {
            int map = next++;
            BlockServerAddress holder = table.holder(map);
            if (shuffles.isSelf(holder.executor())) {
                ShuffleSegment own = own(map);
                if (own.records() > 0) {
                    lastOwn = own;
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

    private ShuffleSegment own(int map) throws FetchFailedException {
        return shuffles.store()
                .block(table.shuffle(), map, reader)
                .orElseThrow(() -> waits.missing(List.of(map), shuffles.store().whyMissing(table.shuffle(), map)));
    }

    private ShuffleSegment block(BlockServerAddress holder, SegmentLocation part) throws FetchFailedException {
        SegmentSource source = shuffles.isSent(holder)
                ? arrived(part, sent.next(holder, part))
                : shuffles.files().source(part.place());
        RemoteSegmentSource.Sending again = fileMissing -> sendAgain(holder, part, fileMissing);
        return new RemoteSegment(
                part.records(),
                part.place(),
                () -> shuffles.files().open(part.place(), new RemoteSegmentSource(source, again)));
    }

    /** The bytes of a part, once its stream is here; if that cannot be had whole, the part by itself. */
    private SegmentSource arrived(SegmentLocation part, SegmentStream fetch) throws FetchFailedException {
        BlockServerAddress holder = fetch.holder();
        try {
            waits.plain(holder, fetch.done());
            return fetch.source(part);
        } catch (HearthException failure) {
            Optional<RuntimeException> here = fetch.failureHere();
            if (here.isPresent()) {
                throw here.get();
            }
            if (!OF_CONTENT.contains(Failures.code(failure))) {
                throw waits.unreachable(holder, part.map(), failure);
            }
            if (fetch.parts() > 1) {
                return arrived(part, sent.once(holder, part));
            }
            throw explain(holder, part, Failures.describe(failure));
        }
    }

    private SegmentSource sendAgain(BlockServerAddress holder, SegmentLocation part, boolean fileMissing)
            throws IOException {
        try {
            SegmentSource source = arrived(part, sent.once(holder, part));
            if (fileMissing) {
                shuffles.apart(holder);
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
        ShuffleSegment own = lastOwn;
        if (own != null) {
            return shuffles.store().damaged(own, damage);
        }
        SegmentLocation part = last;
        if (part == null) {
            throw new IllegalStateException("damaged block: none was given out (expected: one)", damage);
        }
        return explain(table.holder(part.map()), part, String.valueOf(damage.getMessage()));
    }

    /** Asks a holder what is wrong with a part, which it gives up if it is damaged there. */
    private FetchFailedException explain(BlockServerAddress holder, SegmentLocation part, String found) {
        CorruptionQuestion question = new CorruptionQuestion(table.shuffle(), part.map(), reader);
        CorruptionAnswer answer;
        try {
            answer = waits.answer(
                    holder, part.map(), shuffles.holders().askCheck(holder, question, CorruptionAnswer.class));
        } catch (FetchFailedException unreachable) {
            return unreachable;
        }
        String what = answer.found().isEmpty()
                ? "it is whole on the disk of executor " + holder.executor() + " on " + holder.host()
                        + ", the way from there changed it: " + found
                : "damaged on the disk of executor " + holder.executor() + " on " + holder.host() + ": "
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
