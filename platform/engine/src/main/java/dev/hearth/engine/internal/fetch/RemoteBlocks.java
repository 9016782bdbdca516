package dev.hearth.engine.internal.fetch;

import dev.hearth.api.HearthException;
import dev.hearth.engine.internal.disk.DamagedSegment;
import dev.hearth.engine.internal.memory.Spillable;
import dev.hearth.engine.internal.protocol.BlockProtocol.DamageAnswer;
import dev.hearth.engine.internal.protocol.BlockProtocol.DamageQuestion;
import dev.hearth.engine.internal.protocol.BlockProtocol.Part;
import dev.hearth.engine.internal.protocol.BlockProtocol.PartsAnswer;
import dev.hearth.engine.internal.protocol.BlockProtocol.PartsQuestion;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.Holder;
import dev.hearth.engine.internal.shuffle.MissingOutput;
import dev.hearth.engine.internal.shuffle.PairBlock;
import dev.hearth.engine.internal.shuffle.PairBlocks;
import dev.hearth.engine.internal.shuffle.PartBlock;
import dev.hearth.engine.internal.shuffle.ReadingTask;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.error.Failures;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * What all map tasks have for one reader, wherever they ran. All holders are asked at once for what they have; then blocks are
 * given out in the order of the map tasks, and those behind are sent for while there is room: in the bounds of {@link
 * FetchSettings}, and in the task's memory. Owned by the task's thread.
 */
final class RemoteBlocks implements PairBlocks, Spillable {
    private final RemoteShuffles shuffles;
    private final OutputTable table;
    private final int reader;
    private final ReadingTask task;
    private final Map<Holder, CompletionStage<PartsAnswer>> asked = new LinkedHashMap<>();
    private final Map<Holder, Map<Integer, Part>> answered = new LinkedHashMap<>();
    private final ArrayDeque<Fetch> ahead = new ArrayDeque<>(); // in the order of the map tasks
    private int next; // the map task whose block is given out next
    private int planned; // those before were sent for, where they have to be
    private long taken; // of the task's memory, for what is ahead and at hand
    private long required; // as that, where there was too little to take
    private @Nullable Part last; // given out, and none of ours
    private @Nullable PairBlock lastOwn;

    RemoteBlocks(RemoteShuffles shuffles, OutputTable table, int reader, ReadingTask task) {
        this.shuffles = shuffles;
        this.table = table;
        this.reader = reader;
        this.task = task;
        for (int i = 0; i < table.holders().size(); i++) {
            Holder holder = table.holders().get(i);
            if (!shuffles.isSelf(holder.executor())) {
                PartsQuestion question = new PartsQuestion(table.shuffle(), reader, table.mapsOf(i));
                asked.put(holder, shuffles.holders().ask(holder, question, PartsAnswer.class));
            }
        }
    }

    private String subject() {
        return "shuffle " + table.shuffle() + " for partition " + reader;
    }

    @Override
    public Optional<PairBlock> next() throws MissingOutput {
        giveBack();
        last = null;
        lastOwn = null;
        while (next < table.maps()) {
            int map = next++;
            planned = Math.max(planned, next);
            Holder holder = table.holder(map);
            if (shuffles.isSelf(holder.executor())) {
                PairBlock own = own(map);
                if (own.records() > 0) {
                    lastOwn = own;
                    return Optional.of(own);
                }
            } else {
                Part part = parts(holder).get(map);
                if (part != null) {
                    last = part;
                    return Optional.of(block(holder, part));
                }
            }
        }
        return Optional.empty();
    }

    private PairBlock own(int map) throws MissingOutput {
        return shuffles.store()
                .block(table.shuffle(), map, reader)
                .orElseThrow(() -> missing(List.of(map), "is not in this executor's store"));
    }

    private MissingOutput missing(List<Integer> maps, String what) {
        return new MissingOutput(
                table.shuffle(),
                maps.get(0),
                maps.subList(1, maps.size()),
                "shuffle " + table.shuffle() + ": the output of map task " + maps.get(0) + " " + what
                        + " (expected: there until the shuffle is dropped)");
    }

    /** What a holder has for this reader, by map task; waits for its answer. */
    private Map<Integer, Part> parts(Holder holder) throws MissingOutput {
        Map<Integer, Part> known = answered.get(holder);
        if (known == null) {
            CompletionStage<PartsAnswer> answer = asked.get(holder);
            if (answer == null) {
                throw new IllegalStateException("executor " + holder.executor() + ": was not asked");
            }
            known = take(holder, await(holder, next - 1, answer));
        }
        return known;
    }

    private Map<Integer, Part> take(Holder holder, PartsAnswer answer) throws MissingOutput {
        if (!answer.missing().isEmpty()) {
            throw missing(answer.missing(), "is not at executor " + holder.executor());
        }
        Map<Integer, Part> parts = new LinkedHashMap<>();
        answer.parts().forEach(part -> parts.put(part.map(), part));
        answered.put(holder, parts);
        return parts;
    }

    private <T> T await(Holder holder, int map, CompletionStage<T> answer) throws MissingOutput {
        try {
            return task.await(answer, "executor " + holder.executor() + " on " + holder.host());
        } catch (HearthException failure) {
            ErrorCode code = Failures.code(failure);
            if (code == ErrorCode.APPLICATION_KILLED) {
                throw failure;
            }
            boolean answers = code == ErrorCode.STREAM_MISSING || code == ErrorCode.STREAM_CHANGED;
            throw new MissingOutput(
                    table.shuffle(),
                    map,
                    List.of(),
                    answers ? "" : holder.executor().value(),
                    answers ? "" : holder.host(),
                    Failures.describe(failure));
        }
    }

    private PairBlock block(Holder holder, Part part) throws MissingOutput {
        RemotePart.Sending again = () -> sendAgain(holder, part);
        if (shuffles.readsDisksOf(holder.host())) {
            return new PartBlock(part.records(), part.place(), () -> {
                RemotePart source =
                        new RemotePart(part.place(), shuffles.files().source(part.place()), null, again);
                return shuffles.files().open(part.place(), source);
            });
        }
        Fetch fetch = ahead.peek();
        if (fetch == null || fetch.part().map() != part.map()) {
            require(part);
            fetch = Fetch.of(shuffles.holders(), holder, table.shuffle(), reader, part);
        } else {
            ahead.remove();
        }
        sendAhead(part.place().bytes());
        byte[] bytes = await(holder, part.map(), fetch.bytes());
        return new PartBlock(
                part.records(),
                part.place(),
                () -> shuffles.files().open(part.place(), new RemotePart(part.place(), null, bytes, again)));
    }

    private void require(Part part) {
        task.memory().require(part.place().bytes(), subject());
        required += part.place().bytes();
    }

    /** Has blocks behind the next one sent while {@code underWay} and they stay within the bounds. */
    private void sendAhead(long underWay) throws MissingOutput {
        long bytes = underWay;
        for (Fetch fetch : ahead) {
            bytes += fetch.part().place().bytes();
        }
        while (planned < table.maps() && ahead.size() < shuffles.settings().requestsInFlight()) {
            Holder holder = table.holder(planned);
            Part part = known(holder, planned);
            if (part == null) {
                if (!isAnswered(holder)) {
                    return; // it cannot be said yet what comes next
                }
            } else {
                long more = part.place().bytes();
                if (bytes + more > shuffles.settings().bytesInFlight() || !takes(more)) {
                    return;
                }
                bytes += more;
                ahead.add(Fetch.of(shuffles.holders(), holder, table.shuffle(), reader, part));
            }
            planned++;
        }
    }

    private boolean isAnswered(Holder holder) {
        return answered.containsKey(holder)
                || shuffles.isSelf(holder.executor())
                || shuffles.readsDisksOf(holder.host());
    }

    /** What has to be sent of a map task's output, as far as its holder has answered. */
    private @Nullable Part known(Holder holder, int map) throws MissingOutput {
        if (shuffles.isSelf(holder.executor()) || shuffles.readsDisksOf(holder.host())) {
            return null;
        }
        CompletionStage<PartsAnswer> answer = asked.get(holder);
        if (!answered.containsKey(holder)
                && answer != null
                && answer.toCompletableFuture().isDone()) {
            take(holder, await(holder, map, answer));
        }
        return answered.getOrDefault(holder, Map.of()).get(map);
    }

    private boolean takes(long bytes) {
        long got = task.memory().take(bytes, this);
        if (got < bytes) {
            task.memory().give(got, this);
            return false;
        }
        taken += bytes;
        return true;
    }

    /** Gives back what the block took that was read last. */
    private void giveBack() {
        if (required > 0) {
            task.memory().give(required);
            required = 0;
        }
        long waiting = 0;
        for (Fetch fetch : ahead) {
            waiting += fetch.part().place().bytes();
        }
        if (taken > waiting) {
            task.memory().give(taken - waiting, this);
            taken = waiting;
        }
    }

    /** What is on its way cannot be put anywhere else. */
    @Override
    public long spill(long wanted) {
        return 0;
    }

    private byte[] sendAgain(Holder holder, Part part) throws IOException {
        try {
            if (required == 0) {
                require(part);
            }
            Fetch fetch = Fetch.of(shuffles.holders(), holder, table.shuffle(), reader, part);
            return await(holder, part.map(), fetch.bytes());
        } catch (MissingOutput missing) {
            throw new IOException(missing.getMessage(), missing);
        }
    }

    @Override
    public MissingOutput damaged(DamagedSegment damage) {
        PairBlock own = lastOwn;
        if (own != null) {
            return shuffles.store().damaged(own, damage);
        }
        Part part = last;
        if (part == null) {
            throw new IllegalStateException("damaged block: none was given out (expected: one)", damage);
        }
        Holder holder = table.holder(part.map());
        DamageQuestion question = new DamageQuestion(table.shuffle(), part.map(), reader);
        try {
            DamageAnswer answer =
                    await(holder, part.map(), shuffles.holders().ask(holder, question, DamageAnswer.class));
            String where = answer.found().isEmpty()
                    ? "it is whole on the disk of " + holder.host() + ", the way from there changed it: "
                            + damage.getMessage()
                    : "damaged on the disk of " + holder.host() + ": " + answer.found();
            return new MissingOutput(table.shuffle(), part.map(), answer.others(), where);
        } catch (MissingOutput unreachable) {
            return unreachable;
        }
    }

    @Override
    public void close() {
        while (!ahead.isEmpty()) {
            ahead.remove().abort();
        }
        giveBack();
    }
}
