package dev.hearth.yarn.internal.logs;

import dev.hearth.spi.cluster.LogChunk;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.net.Bytes;
import dev.hearth.spi.process.OutputChunk;
import dev.hearth.spi.process.OutputPosition;
import dev.hearth.spi.process.OutputRange;
import dev.hearth.yarn.internal.cluster.ContainerLogs.NodePart;
import dev.hearth.yarn.internal.cluster.ContainerLogs.Place;
import java.io.IOException;
import java.util.Optional;

/**
 * One output of a container: at its node while it is there, afterwards among the collected logs. Its calls block. Used by one
 * thread at a time.
 */
final class OpenLog {
    /** Bytes by which a log may grow between two requests without a third one. */
    private static final int GROWTH = 64 * 1024;
    /** Requests for one part of a log that grows, at most. */
    private static final int REQUESTS_MAX = 8;

    private static final long ALL = Long.MAX_VALUE;

    private final LogSearch search;
    private final String log;
    private Optional<Place> node;
    private Optional<CollectedLog> copy = Optional.empty();
    private long known; // bytes that the log had at the last look

    private OpenLog(LogSearch search, String log, Optional<Place> node) {
        this.search = search;
        this.log = log;
        this.node = node;
    }

    /** Opens an output of the container that {@code search} finds. */
    static OpenLog of(LogSearch search, String log) throws IOException {
        LogSearch.Found found = search.find();
        OpenLog open = new OpenLog(search, log, found.node());
        if (found.node().isEmpty()) {
            open.collect(found);
        }
        return open;
    }

    private void collect(LogSearch.Found found) throws IOException {
        node = Optional.empty();
        copy = Optional.of(CollectedLog.of(
                target -> search.logs().copy(search.application(), found.user(), found.container(), log, target)));
    }

    LogChunk read(OutputRange range) throws IOException {
        if (node.isPresent()) {
            Optional<NodePart> part = onNode(node.get(), range);
            if (part.isPresent()) {
                return chunk(part.get());
            }
            LogSearch.Found again = search.find(); // the node has forgotten the container, or is gone
            if (again.node().isPresent()) {
                node = again.node();
                return chunk(onNode(node.get(), range)
                        .orElseThrow(() -> ErrorCode.LOG_UNKNOWN.failure("log of " + search.source() + ": "
                                + again.container() + " has no " + log + " at "
                                + again.node().get().node()
                                + " (expected: one, while its application runs)")));
            }
            collect(again);
        }
        CollectedLog collected = copy.orElseThrow();
        long length = collected.length();
        long from = from(range, length);
        return chunk(collected.read(from, (int) Math.min(range.length(), to(range, length) - from)));
    }

    private Optional<NodePart> onNode(Place place, OutputRange range) {
        boolean isFromEnd = range.position().equals(OutputPosition.END);
        if (isFromEnd) {
            Optional<NodePart> part =
                    search.logs().onNode(place, log, range.backwards() ? range.length() : 0, -1, range.length());
            part.ifPresent(found -> known = found.length());
            return part;
        }
        long from = from(range, known);
        int max = (int) Math.min(range.length(), to(range, ALL) - from);
        for (int i = 0; i < REQUESTS_MAX; i++) {
            long tail = from == 0 ? ALL : known - from + GROWTH;
            Optional<NodePart> part = search.logs().onNode(place, log, tail, from, max);
            if (part.isEmpty()) {
                return part;
            }
            known = part.get().length();
            if (part.get().from() <= from) {
                return part;
            }
        }
        return search.logs().onNode(place, log, ALL, from, max);
    }

    /** First byte of a range in a log of {@code length} bytes. */
    private static long from(OutputRange range, long length) {
        long position = Math.min(range.position().offset(), length);
        return range.backwards() ? Math.max(0, position - range.length()) : position;
    }

    /** End of a range in a log of {@code length} bytes. */
    private static long to(OutputRange range, long length) {
        return range.backwards() ? Math.min(range.position().offset(), length) : length;
    }

    private LogChunk chunk(NodePart part) {
        return new LogChunk(
                new OutputChunk(
                        Bytes.owning(part.bytes()),
                        new OutputPosition(1, part.from()),
                        new OutputPosition(1, part.to()),
                        part.to() >= part.length(),
                        false),
                part.hasEnded(),
                "");
    }
}
