package dev.hearth.engine.internal.fetch;

import dev.hearth.api.HearthException;
import dev.hearth.engine.internal.disk.DamagedSegment;
import dev.hearth.engine.internal.disk.PartSource;
import dev.hearth.engine.internal.protocol.BlockProtocol.DamageAnswer;
import dev.hearth.engine.internal.protocol.BlockProtocol.DamageQuestion;
import dev.hearth.engine.internal.protocol.BlockProtocol.Part;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.Holder;
import dev.hearth.engine.internal.shuffle.MissingOutput;
import dev.hearth.engine.internal.shuffle.PairBlock;
import dev.hearth.engine.internal.shuffle.PairBlocks;
import dev.hearth.engine.internal.shuffle.PartBlock;
import dev.hearth.engine.internal.shuffle.ReadingTask;
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
final class RemoteBlocks implements PairBlocks {
    /** The holder is there, and what it should have cannot be read as it was. */
    private static final Set<ErrorCode> OF_CONTENT =
            Set.of(ErrorCode.STREAM_MISSING, ErrorCode.STREAM_CHANGED, ErrorCode.STREAM_DAMAGED, ErrorCode.DISK_FAILED);

    private final RemoteShuffles shuffles;
    private final OutputTable table;
    private final int reader;
    private final Waits waits;
    private final Answers answers;
    private final SentAhead sent;
    private int next; // the map task whose block is given out next
    private @Nullable Part last; // given out, and none of ours
    private @Nullable PairBlock lastOwn;
    private @Nullable MissingOutput failed; // sending the last one once more

    RemoteBlocks(RemoteShuffles shuffles, OutputTable table, int reader, ReadingTask task) {
        this.shuffles = shuffles;
        this.table = table;
        this.reader = reader;
        this.waits = new Waits(task, table.shuffle());
        this.answers = new Answers(shuffles, table, reader, waits);
        this.sent = new SentAhead(shuffles, table, reader, waits, answers);
    }

    @Override
    public Optional<PairBlock> next() throws MissingOutput {
        sent.read();
        last = null;
        lastOwn = null;
        failed = null;
        while (next < table.maps()) {
            int map = next++;
            Holder holder = table.holder(map);
            if (shuffles.isSelf(holder.executor())) {
                PairBlock own = own(map);
                if (own.records() > 0) {
                    lastOwn = own;
                    return Optional.of(own);
                }
            } else {
                answers.passed(map);
                Optional<Part> part = answers.part(map);
                if (part.isPresent()) {
                    last = part.get();
                    return Optional.of(block(holder, part.get()));
                }
            }
        }
        return Optional.empty();
    }

    private PairBlock own(int map) throws MissingOutput {
        return shuffles.store()
                .block(table.shuffle(), map, reader)
                .orElseThrow(() -> waits.missing(List.of(map), shuffles.store().whyMissing(table.shuffle(), map)));
    }

    private PairBlock block(Holder holder, Part part) throws MissingOutput {
        PartSource source = shuffles.isSent(holder)
                ? arrived(part, sent.next(holder, part))
                : shuffles.files().source(part.place());
        RemotePart.Sending again = fileMissing -> sendAgain(holder, part, fileMissing);
        return new PartBlock(
                part.records(), part.place(), () -> shuffles.files().open(part.place(), new RemotePart(source, again)));
    }

    /** The bytes of a part, once its stream is here; if that cannot be had whole, the part by itself. */
    private PartSource arrived(Part part, Fetch fetch) throws MissingOutput {
        Holder holder = fetch.holder();
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

    private PartSource sendAgain(Holder holder, Part part, boolean fileMissing) throws IOException {
        try {
            PartSource source = arrived(part, sent.once(holder, part));
            if (fileMissing) {
                shuffles.apart(holder);
            }
            return source;
        } catch (MissingOutput missing) {
            failed = missing;
            throw new IOException(missing.getMessage(), missing);
        }
    }

    @Override
    public MissingOutput damaged(DamagedSegment damage) {
        MissingOutput known = failed;
        if (known != null) {
            return known;
        }
        PairBlock own = lastOwn;
        if (own != null) {
            return shuffles.store().damaged(own, damage);
        }
        Part part = last;
        if (part == null) {
            throw new IllegalStateException("damaged block: none was given out (expected: one)", damage);
        }
        return explain(table.holder(part.map()), part, String.valueOf(damage.getMessage()));
    }

    /** Asks a holder what is wrong with a part, which it gives up if it is damaged there. */
    private MissingOutput explain(Holder holder, Part part, String found) {
        DamageQuestion question = new DamageQuestion(table.shuffle(), part.map(), reader);
        DamageAnswer answer;
        try {
            answer =
                    waits.answer(holder, part.map(), shuffles.holders().askCheck(holder, question, DamageAnswer.class));
        } catch (MissingOutput unreachable) {
            return unreachable;
        }
        String what = answer.found().isEmpty()
                ? "it is whole on the disk of executor " + holder.executor() + " on " + holder.host()
                        + ", the way from there changed it: " + found
                : "damaged on the disk of executor " + holder.executor() + " on " + holder.host() + ": "
                        + answer.found();
        return new MissingOutput(
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
