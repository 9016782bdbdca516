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

    /**
     * Prefix of the names of streams that carry segments of map outputs for one reducer. The rest of such a name is
     * {@code shuffle/reducer/maps}.
     */
    public static final String SHUFFLES = "shuffle";

    /**
     * Prefix of streams with chunks of broadcast values, named {@code id/chunk}. The driver serves them, as does every
     * executor that has read the value.
     */
    public static final String BROADCASTS = "broadcast";

    /** Prefix of the names of streams that carry a large task result. The rest of such a name is the id of the task. */
    public static final String RESULTS = "result";

    /**
     * Prefix of the names of streams in which the driver serves the jars of the application. The rest of such a name is
     * the index of the jar in the {@link DriverProtocol.CodeAnswer}.
     */
    public static final String CODE = "code";

    /**
     * Prefix of the names of streams in which the driver serves attached files. The rest of such a name is the content
     * hash.
     */
    public static final String ATTACHED = "attached";

    /**
     * Prefix of the names of streams in which the driver serves the jars of bundles that the application uses. The rest
     * of such a name is the content hash.
     */
    public static final String BUNDLES = "bundles";

    public static final Protocol PROTOCOL = Protocol.named("blocks", MethodHandles.lookup())
            .message(1, SegmentsQuestion.class)
            .message(2, SegmentsAnswer.class)
            .message(3, CorruptionQuestion.class)
            .message(4, CorruptionAnswer.class)
            .build();

    private BlockProtocol() {}

    /**
     * Asks where an executor stores the segments for one reducer ({@code reader}) in the outputs of the map tasks
     * {@code maps}.
     */
    public record SegmentsQuestion(int shuffle, int reader, List<Integer> maps) {}

    /**
     * Answer to a question for the segments of one reducer. {@code parts} are its segments that contain bytes, and
     * {@code missing} the map tasks whose output is missing. {@code why} explains the first missing output; empty if
     * none is missing.
     */
    public record SegmentsAnswer(List<SegmentLocation> parts, List<Integer> missing, String why) {}

    /**
     * Position of one segment in a file ({@code place}). {@code map} is the map task that wrote the segment, and {@code
     * records} the number of its records.
     */
    public record SegmentLocation(int map, int records, FileSegment place) {}

    /**
     * Reports that a fetched segment was corrupt, and asks whether it is also corrupt on the disk of the executor that
     * wrote it. If so, that executor deletes the map output.
     */
    public record CorruptionQuestion(int shuffle, int map, int reader) {}

    /**
     * Answer to {@link CorruptionQuestion}. {@code found} describes the corruption on the executor's disk; empty if
     * there is none. {@code others} are map tasks of the same shuffle whose output there cannot be read either.
     */
    public record CorruptionAnswer(String found, List<Integer> others) {}
}
