package dev.hearth.spi.shuffle;

import dev.hearth.spi.rpc.Protocol;
import java.lang.invoke.MethodHandles;
import java.util.List;

/**
 * Messages by which readers locate segments of map outputs, on an executor or on the shuffle service of a host, and the
 * name of the streams that carry the segments.
 */
public final class SegmentProtocol {
    /** Name of the endpoint that answers questions about segments. */
    public static final String ENDPOINT = "blocks";

    /**
     * Name of the endpoint that answers questions that need a disk. It is separate, so that slow answers do not delay
     * those at {@link #ENDPOINT}.
     */
    public static final String CHECKS = "block-checks";

    /**
     * Prefix of the names of streams that carry segments of map outputs for one reducer. The rest of such a name is
     * {@code shuffle/reducer/maps}.
     */
    public static final String SHUFFLES = "shuffle";

    public static final Protocol PROTOCOL = Protocol.named("blocks", MethodHandles.lookup())
            .message(1, SegmentsQuestion.class)
            .message(2, SegmentsAnswer.class)
            .message(3, CorruptionQuestion.class)
            .message(4, CorruptionAnswer.class)
            .build();

    private SegmentProtocol() {}

    /**
     * Asks for the places of the segments for one reducer ({@code reader}) in the outputs of the map tasks {@code maps}.
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
     * Reports that a fetched segment was corrupt, and asks whether it is also corrupt on the disk of the process that
     * sent it. If so, that process deletes the map output.
     */
    public record CorruptionQuestion(int shuffle, int map, int reader) {}

    /**
     * Answer to {@link CorruptionQuestion}. {@code found} describes the corruption on the disk; empty if there is none.
     * {@code others} are map tasks of the same shuffle whose output there cannot be read either.
     */
    public record CorruptionAnswer(String found, List<Integer> others) {}
}
