package dev.hearth.engine.internal.fetch;

import dev.hearth.spi.id.ExecutorId;
import dev.hearth.spi.shuffle.MapOutputDirectory;
import dev.hearth.spi.shuffle.MapOutputIndex;
import dev.hearth.spi.shuffle.SegmentProtocol.SegmentLocation;
import dev.hearth.spi.shuffle.SegmentProtocol.SegmentsAnswer;
import dev.hearth.spi.shuffle.SegmentProtocol.SegmentsQuestion;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Map outputs of the shuffle service {@code service} on this executor's host. Locates segments by the index files in
 * {@code directory}, without a request to the service. Stateless.
 */
public record HostOutputs(ExecutorId service, MapOutputDirectory directory) {
    private static final Logger LOG = LoggerFactory.getLogger(HostOutputs.class);

    /** Number of map tasks above which a question goes to the service, which keeps indexes in memory. */
    private static final int MAPS_MAX = 256;

    /** Whether this executor answers a question to {@code holder} by itself. */
    boolean answers(ExecutorId holder, SegmentsQuestion question) {
        return service.equals(holder) && question.maps().size() <= MAPS_MAX;
    }

    SegmentsAnswer answer(SegmentsQuestion question) {
        List<SegmentLocation> parts = new ArrayList<>();
        List<Integer> missing = new ArrayList<>();
        String why = "";
        for (int map : question.maps()) {
            try {
                MapOutputIndex index =
                        MapOutputIndex.decode(Files.readAllBytes(directory.index(question.shuffle(), map)));
                int records = index.records()[question.reader()];
                index.segment(question.reader())
                        .filter(segment -> records > 0)
                        .ifPresent(segment -> parts.add(new SegmentLocation(map, records, segment)));
            } catch (IOException gone) {
                LOG.debug("shuffle {}, map task {}: no index", question.shuffle(), map, gone);
                why = missing.isEmpty()
                        ? "is not on the shuffle service of this host: " + gone
                                + " (expected: available until its shuffle is removed)"
                        : why;
                missing.add(map);
            }
        }
        return new SegmentsAnswer(parts, missing, why);
    }
}
