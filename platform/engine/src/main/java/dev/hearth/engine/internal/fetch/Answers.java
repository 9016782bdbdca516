package dev.hearth.engine.internal.fetch;

import dev.hearth.engine.internal.protocol.BlockProtocol.Part;
import dev.hearth.engine.internal.protocol.BlockProtocol.PartsAnswer;
import dev.hearth.engine.internal.protocol.BlockProtocol.PartsQuestion;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.Holder;
import dev.hearth.engine.internal.shuffle.MissingOutput;
import dev.hearth.spi.error.ErrorCode;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * What holders say they have for one reader. They are asked for a stretch of map tasks at a time, all at once, and for the next one
 * when half of it was looked at; stretches that were passed are forgotten. Owned by the reading task's thread.
 */
final class Answers implements AutoCloseable {
    /** Map tasks that holders are asked for at once. */
    static final int STRETCH_MAPS = 4_096;

    private final RemoteShuffles shuffles;
    private final OutputTable table;
    private final int reader;
    private final Waits waits;
    private final ArrayDeque<Stretch> stretches = new ArrayDeque<>(); // in order, without gaps
    private int asked; // the first stretch that nobody was asked for

    Answers(RemoteShuffles shuffles, OutputTable table, int reader, Waits waits) {
        this.shuffles = shuffles;
        this.table = table;
        this.reader = reader;
        this.waits = waits;
        askUpTo(0);
    }

    /** Neighbouring map tasks, and what is known of them. */
    private static final class Stretch {
        final int first;
        final Map<Holder, CompletableFuture<PartsAnswer>> open = new LinkedHashMap<>();
        final @Nullable Part[] parts;

        Stretch(int first, int maps) {
            this.first = first;
            this.parts = new @Nullable Part[maps];
        }
    }

    private void askUpTo(int map) {
        while (asked * (long) STRETCH_MAPS < Math.min(table.maps(), map + STRETCH_MAPS / 2 + 1L)) {
            int first = asked++ * STRETCH_MAPS;
            Stretch stretch = new Stretch(first, Math.min(STRETCH_MAPS, table.maps() - first));
            Map<Holder, List<Integer>> maps = new LinkedHashMap<>();
            for (int at = 0; at < stretch.parts.length; at++) {
                Holder holder = table.holder(first + at);
                if (!shuffles.isSelf(holder.executor())) {
                    maps.computeIfAbsent(holder, missing -> new ArrayList<>()).add(first + at);
                }
            }
            stretches.add(stretch);
            maps.forEach((holder, wanted) -> stretch.open.put(
                    holder,
                    shuffles.holders()
                            .ask(holder, new PartsQuestion(table.shuffle(), reader, wanted), PartsAnswer.class)));
        }
    }

    /** Whether what is said of a map task's output would not be waited for. */
    boolean isAnswered(int map) {
        CompletableFuture<PartsAnswer> open = stretch(map).open.get(table.holder(map));
        return open == null || open.isDone();
    }

    /** What a map task of another executor has for the reader, if anything; waits for its holder. */
    Optional<Part> part(int map) throws MissingOutput {
        Stretch stretch = stretch(map);
        Holder holder = table.holder(map);
        CompletableFuture<PartsAnswer> open = stretch.open.get(holder);
        if (open != null) {
            take(stretch, holder, waits.answer(holder, map, open));
        }
        return Optional.ofNullable(stretch.parts[map - stretch.first]);
    }

    private Stretch stretch(int map) {
        askUpTo(map);
        for (Stretch stretch : stretches) {
            if (map >= stretch.first && map - stretch.first < stretch.parts.length) {
                return stretch;
            }
        }
        throw new IllegalStateException("map task " + map + ": passed already (expected: one that follows)");
    }

    private void take(Stretch stretch, Holder holder, PartsAnswer answer) throws MissingOutput {
        if (!answer.missing().isEmpty()) {
            throw waits.missing(answer.missing(), answer.why() + ", asked of executor " + holder.executor());
        }
        for (Part part : answer.parts()) {
            stretch.parts[part.map() - stretch.first] = part;
        }
        stretch.open.remove(holder);
    }

    /** Nobody asks for map tasks before this one any more. */
    void passed(int map) {
        while (!stretches.isEmpty() && stretches.element().first + stretches.element().parts.length <= map) {
            close(stretches.remove());
        }
    }

    private void close(Stretch stretch) {
        stretch.open
                .values()
                .forEach(open -> open.completeExceptionally(ErrorCode.TRANSFER_ABORTED.failure(
                        "shuffle " + table.shuffle() + " for partition " + reader + ": not wanted any more")));
    }

    @Override
    public void close() {
        stretches.forEach(this::close);
        stretches.clear();
    }
}
