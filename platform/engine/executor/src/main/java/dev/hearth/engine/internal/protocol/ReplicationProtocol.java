package dev.hearth.engine.internal.protocol;

import dev.hearth.engine.internal.disk.FileSegment;
import dev.hearth.spi.net.Bytes;
import dev.hearth.spi.rpc.Protocol;
import java.lang.invoke.MethodHandles;
import java.util.List;
import java.util.Optional;

/** What executors of one application ask one another to copy what they hold; what lies in files comes by streams. */
public final class ReplicationProtocol {
    /** The endpoint every executor has for others. */
    public static final String ENDPOINT = "copies";

    /** Under this prefix lie kept blocks that are on disk: {@code dataset/partition/version}. */
    public static final String KEPT = "kept";

    /** Under this prefix lie whole map outputs: {@code shuffle/map}. */
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

    /** Is that partition of a dataset kept there? */
    public record CachedBlockQuestion(int dataset, int partition) {}

    /** Nothing else counts unless it is {@code kept}. {@code place} is where it lies on disk; without, pages are asked for. */
    public record CachedBlockAnswer(boolean kept, long version, long records, Optional<FileSegment> place) {}

    /** What is in memory of a block from an element of a chunk on. */
    public record PageQuestion(int dataset, int partition, long version, int chunk, int index) {}

    /** Not {@code kept}: it does not lie there any more as it did. Else whole records, and where the next ones begin. */
    public record PageAnswer(boolean kept, Bytes bytes, int records, int chunk, int index, boolean last) {}

    /** Where does the output of a map task lie? */
    public record MapOutputQuestion(int shuffle, int map) {}

    /** Its whole file, with how many records it has for each reader; {@code file} is empty when it is not there. */
    public record MapOutputAnswer(Optional<MapOutputDescription> file) {}

    /** No {@code bytes}: it is empty. {@code run} tells which of the runs of a stage that take the place of one another wrote it. */
    public record MapOutputDescription(int maps, int run, long bytes, List<Integer> records) {}
}
