package dev.hearth.engine.internal.fetch;

import dev.hearth.engine.internal.protocol.ExecutorProtocol.BlockServerAddress;
import dev.hearth.engine.internal.shuffle.FetchFailedException;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.shuffle.SegmentProtocol.SegmentLocation;
import dev.hearth.spi.shuffle.SegmentProtocol.SegmentsAnswer;
import dev.hearth.spi.shuffle.SegmentProtocol.SegmentsQuestion;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Asks the other executors which segments they have for one reducer. Requests cover one range of map tasks and are sent
 * to all executors at once. When half of the range was read, asks about the next range; earlier ranges are discarded.
 * Owned by the reading task's thread.
 */
final class SegmentIndexClient implements AutoCloseable {
    /**
     * Number of consecutive map tasks whose segments are located together, with one request to each executor that holds
     * some.
     */
    static final int RANGE_MAPS = 4_096;

    private final RemoteShuffleReader shuffles;
    private final MapOutputTable table;
    private final int reducer;
    private final FetchAwait waits;
    private final ArrayDeque<Range> ranges = new ArrayDeque<>(); // ranges in ascending order, without gaps
    private int nextRange; // number of the next range to ask about

    SegmentIndexClient(RemoteShuffleReader shuffles, MapOutputTable table, int reducer, FetchAwait waits) {
        this.shuffles = shuffles;
        this.table = table;
        this.reducer = reducer;
        this.waits = waits;
        askAheadOf(0);
    }

    /**
     * Consecutive map tasks from {@code first} on, the answers of executors that are still awaited for them, and the
     * segments located so far.
     */
    private static final class Range {
        final int first;
        final Map<BlockServerAddress, CompletableFuture<SegmentsAnswer>> open = new LinkedHashMap<>();
        final @Nullable SegmentLocation[] parts;

        Range(int first, int maps) {
            this.first = first;
            this.parts = new @Nullable SegmentLocation[maps];
        }
    }

    private void askAheadOf(int map) {
        while (nextRange * (long) RANGE_MAPS < Math.min(table.maps(), map + RANGE_MAPS / 2 + 1L)) {
            int first = nextRange++ * RANGE_MAPS;
            Range range = new Range(first, Math.min(RANGE_MAPS, table.maps() - first));
            Map<BlockServerAddress, List<Integer>> maps = new LinkedHashMap<>();
            for (int at = 0; at < range.parts.length; at++) {
                BlockServerAddress holder = table.holder(first + at);
                if (!shuffles.isSelf(holder.executor())) {
                    maps.computeIfAbsent(holder, missing -> new ArrayList<>()).add(first + at);
                }
            }
            ranges.add(range);
            maps.forEach((holder, wanted) -> range.open.put(
                    holder, shuffles.locate(holder, new SegmentsQuestion(table.shuffle(), reducer, wanted))));
        }
    }

    /**
     * Whether the executor that has the output of the map task {@code map} has answered about it, so that {@link #part}
     * would not block.
     */
    boolean isAnswered(int map) {
        CompletableFuture<SegmentsAnswer> open = range(map).open.get(table.holder(map));
        return open == null || open.isDone();
    }

    /**
     * Returns where the segment of the map task {@code map} is on the executor that has it; empty if the segment
     * contains no pairs. Blocks until that executor has answered.
     */
    Optional<SegmentLocation> part(int map) throws FetchFailedException {
        Range range = range(map);
        BlockServerAddress holder = table.holder(map);
        CompletableFuture<SegmentsAnswer> open = range.open.get(holder);
        if (open != null) {
            take(range, holder, waits.answer(holder, map, open));
        }
        return Optional.ofNullable(range.parts[map - range.first]);
    }

    private Range range(int map) {
        askAheadOf(map);
        for (Range range : ranges) {
            if (map >= range.first && map - range.first < range.parts.length) {
                return range;
            }
        }
        throw new IllegalStateException("map task " + map + ": already passed (expected: a later map task)");
    }

    private void take(Range range, BlockServerAddress holder, SegmentsAnswer answer) throws FetchFailedException {
        if (!answer.missing().isEmpty()) {
            throw waits.missing(answer.missing(), answer.why() + ", asked of executor " + holder.executor());
        }
        for (SegmentLocation part : answer.parts()) {
            range.parts[part.map() - range.first] = part;
        }
        range.open.remove(holder);
    }

    /** Discards the answers about ranges of map tasks that end before {@code map}, as their segments have been read. */
    void passed(int map) {
        while (!ranges.isEmpty() && ranges.element().first + ranges.element().parts.length <= map) {
            close(ranges.remove());
        }
    }

    private void close(Range range) {
        range.open
                .values()
                .forEach(open -> open.completeExceptionally(ErrorCode.TRANSFER_ABORTED.failure("shuffle "
                        + table.shuffle() + " for partition " + reducer + ": cancelled, its reader has ended")));
    }

    @Override
    public void close() {
        ranges.forEach(this::close);
        ranges.clear();
    }
}
