package dev.hearth.engine.internal.fetch;

import dev.hearth.engine.internal.protocol.BlockProtocol.SegmentLocation;
import dev.hearth.engine.internal.protocol.BlockProtocol.SegmentsAnswer;
import dev.hearth.engine.internal.protocol.BlockProtocol.SegmentsQuestion;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.BlockServerAddress;
import dev.hearth.engine.internal.shuffle.FetchFailedException;
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
final class SegmentIndexClient implements AutoCloseable {
    /** Map tasks that holders are asked for at once. */
    static final int STRETCH_MAPS = 4_096;

    private final RemoteShuffleReader shuffles;
    private final MapOutputTable table;
    private final int reader;
    private final FetchAwait waits;
    private final ArrayDeque<Stretch> stretches = new ArrayDeque<>(); // in order, without gaps
    private int asked; // the first stretch that nobody was asked for

    SegmentIndexClient(RemoteShuffleReader shuffles, MapOutputTable table, int reader, FetchAwait waits) {
        this.shuffles = shuffles;
        this.table = table;
        this.reader = reader;
        this.waits = waits;
        askUpTo(0);
    }

    /** Neighbouring map tasks, and what is known of them. */
    private static final class Stretch {
        final int first;
        final Map<BlockServerAddress, CompletableFuture<SegmentsAnswer>> open = new LinkedHashMap<>();
        final @Nullable SegmentLocation[] parts;

        Stretch(int first, int maps) {
            this.first = first;
            this.parts = new @Nullable SegmentLocation[maps];
        }
    }

    private void askUpTo(int map) {
        while (asked * (long) STRETCH_MAPS < Math.min(table.maps(), map + STRETCH_MAPS / 2 + 1L)) {
            int first = asked++ * STRETCH_MAPS;
            Stretch stretch = new Stretch(first, Math.min(STRETCH_MAPS, table.maps() - first));
            Map<BlockServerAddress, List<Integer>> maps = new LinkedHashMap<>();
            for (int at = 0; at < stretch.parts.length; at++) {
                BlockServerAddress holder = table.holder(first + at);
                if (!shuffles.isSelf(holder.executor())) {
                    maps.computeIfAbsent(holder, missing -> new ArrayList<>()).add(first + at);
                }
            }
            stretches.add(stretch);
            maps.forEach((holder, wanted) -> stretch.open.put(
                    holder,
                    shuffles.holders()
                            .ask(holder, new SegmentsQuestion(table.shuffle(), reader, wanted), SegmentsAnswer.class)));
        }
    }

    /** Whether what is said of a map task's output would not be waited for. */
    boolean isAnswered(int map) {
        CompletableFuture<SegmentsAnswer> open = stretch(map).open.get(table.holder(map));
        return open == null || open.isDone();
    }

    /** What a map task of another executor has for the reader, if anything; waits for its holder. */
    Optional<SegmentLocation> part(int map) throws FetchFailedException {
        Stretch stretch = stretch(map);
        BlockServerAddress holder = table.holder(map);
        CompletableFuture<SegmentsAnswer> open = stretch.open.get(holder);
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

    private void take(Stretch stretch, BlockServerAddress holder, SegmentsAnswer answer) throws FetchFailedException {
        if (!answer.missing().isEmpty()) {
            throw waits.missing(answer.missing(), answer.why() + ", asked of executor " + holder.executor());
        }
        for (SegmentLocation part : answer.parts()) {
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
