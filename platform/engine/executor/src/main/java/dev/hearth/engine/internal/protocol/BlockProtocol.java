package dev.hearth.engine.internal.protocol;

import dev.hearth.engine.internal.disk.FileSegment;
import dev.hearth.spi.rpc.Protocol;
import java.lang.invoke.MethodHandles;
import java.util.List;

/**
 * Messages by which executors of one application locate blocks of each other, and names of the streams that carry the
 * bytes.
 */
public final class BlockProtocol {
    /** Endpoint of every executor for questions about blocks. */
    public static final String ENDPOINT = "blocks";

    /**
     * Endpoint of every executor for questions answered from its disk. Separate, so that these slow answers do not
     * delay those at {@link #ENDPOINT}.
     */
    public static final String CHECKS = "block-checks";

    /** Prefix of streams with one segment of a map output: {@code shuffle/map/reader}. */
    public static final String SHUFFLES = "shuffle";

    /**
     * Prefix of streams with chunks of broadcast values: {@code id/chunk}. The driver and the executors that have read
     * a value serve them.
     */
    public static final String BROADCASTS = "broadcast";

    /** Prefix of streams with large task results: {@code task}. */
    public static final String RESULTS = "result";

    /** Prefix of the driver's streams with the jars of the application, by index. */
    public static final String CODE = "code";

    /** Prefix of the driver's streams with attached files, by content hash. */
    public static final String ATTACHED = "attached";

    /** Prefix of the driver's streams with the jars of frozen bundles, by content hash. */
    public static final String BUNDLES = "bundles";

    public static final Protocol PROTOCOL = Protocol.named("blocks", MethodHandles.lookup())
            .message(1, SegmentsQuestion.class)
            .message(2, SegmentsAnswer.class)
            .message(3, CorruptionQuestion.class)
            .message(4, CorruptionAnswer.class)
            .build();

    private BlockProtocol() {}

    /** Asks where the segments of these map outputs for one reducer are. */
    public record SegmentsQuestion(int shuffle, int reader, List<Integer> maps) {}

    /**
     * The segments that have bytes, and the map tasks whose output is missing. {@code why} is the reason why the first
     * of these is missing.
     */
    public record SegmentsAnswer(List<SegmentLocation> parts, List<Integer> missing, String why) {}

    /** Place of one segment in a file, and the number of records in it. */
    public record SegmentLocation(int map, int records, FileSegment place) {}

    /**
     * Reports that a fetched segment was corrupt and asks whether it is corrupt on disk. If so, the executor drops the
     * output.
     */
    public record CorruptionQuestion(int shuffle, int map, int reader) {}

    /**
     * {@code found} describes the corruption on disk and is empty if there is none. {@code others} are further map
     * outputs that cannot be read.
     */
    public record CorruptionAnswer(String found, List<Integer> others) {}
}
