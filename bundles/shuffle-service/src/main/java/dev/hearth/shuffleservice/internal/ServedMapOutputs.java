package dev.hearth.shuffleservice.internal;

import dev.hearth.spi.shuffle.FileSegment;
import dev.hearth.spi.shuffle.MapOutputDirectory;
import dev.hearth.spi.shuffle.MapOutputIndex;
import dev.hearth.spi.shuffle.SegmentProtocol.CorruptionAnswer;
import dev.hearth.spi.shuffle.SegmentProtocol.CorruptionQuestion;
import dev.hearth.spi.shuffle.SegmentProtocol.SegmentLocation;
import dev.hearth.spi.shuffle.SegmentProtocol.SegmentsAnswer;
import dev.hearth.spi.shuffle.SegmentProtocol.SegmentsQuestion;
import dev.hearth.spi.shuffle.SegmentStreamNames;
import dev.hearth.spi.stream.StreamContent;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Map outputs of one application on this host. An output is there as soon as an executor has linked its index file, and
 * whether or not that executor lives. Any thread may call.
 */
final class ServedMapOutputs {
    private static final Logger LOG = LoggerFactory.getLogger(ServedMapOutputs.class);
    private static final String MISSING =
            "is not on this shuffle service (expected: available until its shuffle is removed)";

    private final MapOutputDirectory directory;
    private final List<Path> roots;
    private final IndexCache indexes;
    private final ServiceFigures figures;

    /** The index files are in {@code directory}, and the outputs anywhere below {@code roots}. */
    ServedMapOutputs(MapOutputDirectory directory, List<Path> roots, IndexCache indexes, ServiceFigures figures) {
        this.directory = directory;
        this.roots = List.copyOf(roots);
        this.indexes = indexes;
        this.figures = figures;
    }

    /** Answers where the segments for one reducer are. */
    SegmentsAnswer segments(SegmentsQuestion question) {
        figures.asked(question.maps().size());
        List<SegmentLocation> found = new ArrayList<>();
        List<Integer> missing = new ArrayList<>();
        for (int map : question.maps()) {
            Optional<MapOutputIndex> index = index(question.shuffle(), map, question.reader());
            if (index.isEmpty()) {
                missing.add(map);
                continue;
            }
            int records = index.get().records()[question.reader()];
            index.get()
                    .segment(question.reader())
                    .filter(segment -> records > 0)
                    .ifPresent(segment -> found.add(new SegmentLocation(map, records, segment)));
        }
        return new SegmentsAnswer(found, missing, missing.isEmpty() ? "" : MISSING);
    }

    private Optional<MapOutputIndex> index(int shuffle, int map, int reducer) {
        return shuffle < 0 || map < 0 || reducer < 0
                ? Optional.empty()
                : indexes.read(directory.index(shuffle, map))
                        .filter(index -> reducer < index.reducers())
                        .filter(index -> index.file().map(Path::of).stream().allMatch(this::isOurs));
    }

    /** Whether a file is in the directories of this application. Its index may name any other. */
    private boolean isOurs(Path file) {
        Path plain = file.normalize();
        return roots.stream().anyMatch(plain::startsWith);
    }

    /** Returns the segments that the stream name {@code name} lists; empty if one of them is not here. */
    Optional<StreamContent> content(String name) {
        Optional<SegmentStreamNames.Wanted> wanted = SegmentStreamNames.read(name);
        if (wanted.isEmpty()) {
            return Optional.empty();
        }
        List<FileSegment> segments = new ArrayList<>();
        int reducer = wanted.get().reducer();
        for (int map : wanted.get().maps()) {
            index(wanted.get().shuffle(), map, reducer)
                    .flatMap(index -> index.segment(reducer))
                    .ifPresent(segments::add);
        }
        if (segments.size() < wanted.get().maps().size()) {
            return Optional.empty();
        }
        figures.sent(segments);
        List<StreamContent.FilePart> parts =
                segments.stream().map(ServedMapOutputs::part).toList();
        return Optional.of(
                parts.size() == 1
                        ? parts.get(0)
                        : new StreamContent.FileParts(parts, SegmentStreamNames.tag(segments)));
    }

    private static StreamContent.FilePart part(FileSegment segment) {
        return new StreamContent.FilePart(
                Path.of(segment.file()), segment.offset(), segment.bytes(), SegmentStreamNames.tag(List.of(segment)));
    }

    /** Verifies a segment that a reader found corrupt. If it is corrupt here, removes the map output. */
    CorruptionAnswer check(CorruptionQuestion question) {
        Optional<MapOutputIndex> index = index(question.shuffle(), question.map(), question.reader());
        if (index.isEmpty()) {
            return new CorruptionAnswer(MISSING, List.of());
        }
        try {
            Optional<FileSegment> segment = index.get().segment(question.reader());
            if (segment.isPresent()) {
                SegmentCheck.verify(segment.get());
            }
            return new CorruptionAnswer("", List.of());
        } catch (IOException damage) {
            LOG.warn(
                    "shuffle {}, map task {}: its file is corrupt, so its map task runs again: {}",
                    question.shuffle(),
                    question.map(),
                    damage.toString());
            figures.corrupt();
            remove(directory.index(question.shuffle(), question.map()));
            return new CorruptionAnswer(damage.toString(), List.of());
        }
    }

    /** Removes all outputs of a shuffle. */
    void drop(int shuffle) {
        for (Path index : list(directory.indexes(shuffle))) {
            remove(index);
        }
        delete(directory.indexes(shuffle));
    }

    /** Number of map outputs of a shuffle. */
    int outputs(int shuffle) {
        return (int) list(directory.indexes(shuffle)).stream()
                .filter(path -> !path.getFileName().toString().startsWith(MapOutputDirectory.DRAFT))
                .count();
    }

    private static List<Path> list(Path parent) {
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(parent)) {
            List<Path> all = new ArrayList<>();
            entries.forEach(all::add);
            return all;
        } catch (NoSuchFileException none) {
            return List.of();
        } catch (IOException failure) {
            LOG.warn("{}: cannot be listed: {}", parent, failure.toString());
            return List.of();
        }
    }

    private void remove(Path index) {
        Optional<MapOutputIndex> known = indexes.read(index);
        indexes.forget(index);
        delete(index);
        known.flatMap(MapOutputIndex::file).map(Path::of).filter(this::isOurs).ifPresent(ServedMapOutputs::delete);
    }

    private static void delete(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException failure) {
            LOG.warn(
                    "{}: cannot be deleted now; it is deleted when the application ends: {}", file, failure.toString());
        }
    }

    /** Forgets the indexes of this application, whose directories are removed. */
    void forget() {
        indexes.forgetAll(directory.root());
    }
}
