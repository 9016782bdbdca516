package dev.hearth.engine.internal.protocol;

import dev.hearth.engine.internal.disk.FileSegment;
import dev.hearth.spi.net.Bytes;
import dev.hearth.spi.rpc.Protocol;
import java.lang.invoke.MethodHandles;
import java.util.List;
import java.util.Optional;

/**
 * Messages by which executors of one application replicate cached blocks and migrate map outputs. Bytes of files travel
 * as streams.
 */
public final class ReplicationProtocol {
    /** Endpoint of every executor for copies. */
    public static final String ENDPOINT = "copies";

    /** Prefix of streams with cached blocks on disk: {@code dataset/partition/version}. */
    public static final String KEPT = "kept";

    /** Prefix of streams with whole map outputs: {@code shuffle/map}. */
    public static final String OUTPUTS = "output";

    public static final Protocol PROTOCOL = Protocol.named("copies", MethodHandles.lookup())
            .message(1, CachedBlockQuestion.class)
            .message(2, CachedBlockAnswer.class)
            .message(3, PageQuestion.class)
            .message(4, PageAnswer.class)
            .message(5, MapOutputQuestion.class)
            .message(6, MapOutputAnswer.class)
            .build();

    private ReplicationProtocol() {}

    /** Asks whether a partition of a dataset is cached here. */
    public record CachedBlockQuestion(int dataset, int partition) {}

    /**
     * {@code kept} says whether the block is cached; if not, the other components have no meaning. {@code place} is its
     * file; a block in memory has none and is read by pages.
     */
    public record CachedBlockAnswer(boolean kept, long version, long records, Optional<FileSegment> place) {}

    /** Asks for records of a cached block in memory, beginning with one record of a chunk. */
    public record PageQuestion(int dataset, int partition, long version, int chunk, int index) {}

    /**
     * Whole records, and the position of the next one. {@code kept} is false if the block has been evicted or has
     * changed.
     */
    public record PageAnswer(boolean kept, Bytes bytes, int records, int chunk, int index, boolean last) {}

    /** Asks for the output of a map task. */
    public record MapOutputQuestion(int shuffle, int map) {}

    /** The description of the output; empty if this executor does not have it. */
    public record MapOutputAnswer(Optional<MapOutputDescription> file) {}

    /**
     * Map output of {@code bytes} bytes in one file, with the record count for each reducer. {@code run} orders the
     * attempts of a barrier stage: output of a later one replaces output of an earlier one.
     */
    public record MapOutputDescription(int maps, int run, long bytes, List<Integer> records) {}
}
