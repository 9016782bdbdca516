package dev.hearth.engine.internal.protocol;

import dev.hearth.engine.internal.disk.FileSegment;
import dev.hearth.spi.rpc.Protocol;
import java.lang.invoke.MethodHandles;
import java.util.List;

/**
 * Messages by which executors of one application locate each other's blocks, and names of the streams that carry the
 * blocks.
 */
public final class BlockProtocol {
    /** Name of the endpoint at which every executor answers questions about its blocks. */
    public static final String ENDPOINT = "blocks";

    /**
     * Name of the endpoint at which every executor answers questions that need a disk. It is separate, so that slow
     * answers do not delay those at {@link #ENDPOINT}.
     */
    public static final String CHECKS = "block-checks";

    /** Prefix of streams with segments of map outputs for one reducer, named {@code shuffle/reducer/maps}. */
    public static final String SHUFFLES = "shuffle";

    /**
     * Prefix of streams with chunks of broadcast values, named {@code id/chunk}. The driver serves them, as does every
     * executor that has read the value.
     */
    public static final String BROADCASTS = "broadcast";

    /** Prefix of streams with large task results, named by task id: {@code task}. */
    public static final String RESULTS = "result";

    /** Prefix of the driver's streams with the jars of the application, named by index. */
    public static final String CODE = "code";

    /** Prefix of the driver's streams with attached files, named by content hash. */
    public static final String ATTACHED = "attached";

    /** Prefix of the driver's streams with the jars of the application's bundles, named by content hash. */
    public static final String BUNDLES = "bundles";

    public static final Protocol PROTOCOL = Protocol.named("blocks", MethodHandles.lookup())
            .message(1, SegmentsQuestion.class)
            .message(2, SegmentsAnswer.class)
            .message(3, CorruptionQuestion.class)
            .message(4, CorruptionAnswer.class)
            .build();

    private BlockProtocol() {}

    /** Asks where an executor stores the segments of these map outputs for one reducer. */
    public record SegmentsQuestion(int shuffle, int reader, List<Integer> maps) {}

    /**
     * Lists the segments that contain bytes, and the map tasks whose output is missing. {@code why} explains why the
     * first missing output is missing.
     */
    public record SegmentsAnswer(List<SegmentLocation> parts, List<Integer> missing, String why) {}

    /** Position of one segment in a file, with its number of records. */
    public record SegmentLocation(int map, int records, FileSegment place) {}

    /**
     * Reports that a fetched segment was corrupt, and asks whether it is corrupt on the executor's disk. If so, the
     * executor deletes the map output.
     */
    public record CorruptionQuestion(int shuffle, int map, int reader) {}

    /**
     * Answer to {@link CorruptionQuestion}. {@code found} describes the corruption on disk and is empty if there is
     * none. {@code others} are further map outputs that cannot be read.
     */
    public record CorruptionAnswer(String found, List<Integer> others) {}
}
