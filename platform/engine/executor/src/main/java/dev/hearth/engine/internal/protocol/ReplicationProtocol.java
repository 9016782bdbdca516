package dev.hearth.engine.internal.protocol;

import dev.hearth.spi.net.Bytes;
import dev.hearth.spi.rpc.Protocol;
import dev.hearth.spi.shuffle.FileSegment;
import java.lang.invoke.MethodHandles;
import java.util.List;
import java.util.Optional;

/**
 * Messages by which executors of one application replicate cached blocks and migrate map outputs. The files themselves
 * travel as streams.
 */
public final class ReplicationProtocol {
    /** Name of the endpoint at which every executor answers requests to copy its data. */
    public static final String ENDPOINT = "copies";

    /**
     * Prefix of the names of streams that carry a cached block from disk. The rest of such a name is {@code
     * dataset/partition/version}. The version is a number that changes with the block's content.
     */
    public static final String KEPT = "kept";

    /** Prefix of streams with whole map outputs, named {@code shuffle/map}. */
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

    /** Asks whether the receiving executor caches a partition of a dataset. */
    public record CachedBlockQuestion(int dataset, int partition) {}

    /**
     * Answer to {@link CachedBlockQuestion}. {@code kept} says whether the block is cached; if not, the other
     * components have no meaning. {@code version} is a number that changes with the block's content. {@code place} is
     * the file of the block; empty if the block is in memory, where it is fetched page by page.
     */
    public record CachedBlockAnswer(boolean kept, long version, long records, Optional<FileSegment> place) {}

    /**
     * Asks for a page of a cached block in memory. The page begins at the record {@code index} of the block's chunk
     * with the number {@code chunk}.
     */
    public record PageQuestion(int dataset, int partition, long version, int chunk, int index) {}

    /**
     * Page of complete records, and the position of the next record. {@code kept} is false if the block has been
     * evicted or has changed.
     */
    public record PageAnswer(boolean kept, Bytes bytes, int records, int chunk, int index, boolean last) {}

    /** Asks an executor for the output of a map task. */
    public record MapOutputQuestion(int shuffle, int map) {}

    /**
     * Answer to {@link MapOutputQuestion}. {@code file} describes the map output, and is empty if the executor does not
     * have the output.
     */
    public record MapOutputAnswer(Optional<MapOutputDescription> file) {}

    /**
     * Map output of {@code bytes} bytes in one file, with the record count for each reducer. {@code run} numbers the
     * attempts of a barrier stage: output of a later attempt replaces that of an earlier one.
     */
    public record MapOutputDescription(int maps, int run, long bytes, List<Integer> records) {}
}
