package dev.hearth.engine.internal.protocol;

import dev.hearth.engine.internal.disk.FileSegment;
import dev.hearth.spi.rpc.Protocol;
import java.lang.invoke.MethodHandles;
import java.util.List;

/** What executors of one application ask one another about what they hold; the bytes themselves are streams. */
public final class BlockProtocol {
    /** The endpoint every executor has for others. */
    public static final String ENDPOINT = "blocks";

    /** The endpoint that looks at its disk, which takes a while, and holds up nobody who asks the other one. */
    public static final String CHECKS = "block-checks";

    /** Under this prefix lie parts of map outputs: {@code shuffle/map/reader}. */
    public static final String SHUFFLES = "shuffle";

    /** Under this prefix lie chunks of broadcast values, at the driver and at executors that have read them: {@code id/chunk}. */
    public static final String BROADCASTS = "broadcast";

    /** Under this prefix lie large results of tasks: {@code task}. */
    public static final String RESULTS = "result";

    /** Under this prefix the driver serves the application's jars, by their place in the list. */
    public static final String CODE = "code";

    /** Under this prefix the driver serves what was attached, by hash. */
    public static final String ATTACHED = "attached";

    /** Under this prefix the driver serves the jars of bundles that its application has frozen, by hash. */
    public static final String BUNDLES = "bundles";

    public static final Protocol PROTOCOL = Protocol.named("blocks", MethodHandles.lookup())
            .message(1, SegmentsQuestion.class)
            .message(2, SegmentsAnswer.class)
            .message(3, CorruptionQuestion.class)
            .message(4, CorruptionAnswer.class)
            .build();

    private BlockProtocol() {}

    /** Where lies what these map tasks have for one reader of a shuffle? */
    public record SegmentsQuestion(int shuffle, int reader, List<Integer> maps) {}

    /** Those of the asked that have something, and those whose output is not there; {@code why} is said of the first of these. */
    public record SegmentsAnswer(List<SegmentLocation> parts, List<Integer> missing, String why) {}

    public record SegmentLocation(int map, int records, FileSegment place) {}

    /** What came of a part was not what was written: is it so on the disk? Then it is given up. */
    public record CorruptionQuestion(int shuffle, int map, int reader) {}

    /** {@code found} says what is wrong with it where it lies; empty when nothing is. {@code others} could not be read either. */
    public record CorruptionAnswer(String found, List<Integer> others) {}
}
