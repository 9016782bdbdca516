package dev.hearth.engine.internal.fetch;

import dev.hearth.engine.internal.shuffle.ShuffleSegment;
import dev.hearth.engine.internal.shuffle.ShuffleStore;
import dev.hearth.spi.rpc.Dispatch;
import dev.hearth.spi.rpc.Receiver;
import dev.hearth.spi.rpc.RpcScope;
import dev.hearth.spi.shuffle.FileSegment;
import dev.hearth.spi.shuffle.SegmentProtocol;
import dev.hearth.spi.shuffle.SegmentProtocol.CorruptionAnswer;
import dev.hearth.spi.shuffle.SegmentProtocol.CorruptionQuestion;
import dev.hearth.spi.shuffle.SegmentProtocol.SegmentLocation;
import dev.hearth.spi.shuffle.SegmentProtocol.SegmentsAnswer;
import dev.hearth.spi.shuffle.SegmentProtocol.SegmentsQuestion;
import dev.hearth.spi.shuffle.SegmentStreamNames;
import dev.hearth.spi.stream.StreamContent;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Serves the map outputs of this executor to the other executors of its application. Stateless; ends with its RPC
 * scope.
 */
public final class BlockServer {
    private final Supplier<ShuffleStore> shuffles;

    private BlockServer(Supplier<ShuffleStore> shuffles) {
        this.shuffles = shuffles;
    }

    /** Starts to serve the map outputs {@code shuffles} to other executors, until {@code scope} is closed. */
    public static void open(RpcScope scope, Supplier<ShuffleStore> shuffles) {
        BlockServer server = new BlockServer(shuffles);
        Receiver receiver = Receiver.of(SegmentProtocol.ENDPOINT)
                .answer(SegmentsQuestion.class, (question, peer) -> server.parts(question))
                .build();
        Receiver checks = Receiver.of(SegmentProtocol.CHECKS)
                .answer(CorruptionQuestion.class, (question, peer) -> server.damage(question))
                .build();
        scope.register(SegmentProtocol.ENDPOINT, SegmentProtocol.PROTOCOL, Dispatch.ownThread(), receiver);
        scope.register(SegmentProtocol.CHECKS, SegmentProtocol.PROTOCOL, Dispatch.ownThread(), checks);
        scope.streams().serve(SegmentProtocol.SHUFFLES, server::content);
    }

    private SegmentsAnswer parts(SegmentsQuestion question) {
        List<SegmentLocation> parts = new ArrayList<>();
        List<Integer> missing = new ArrayList<>();
        for (int map : question.maps()) {
            Optional<ShuffleSegment> block = shuffles.get().block(question.shuffle(), map, question.reader());
            Optional<FileSegment> place = block.flatMap(ShuffleSegment::fileSegment);
            int records = block.map(ShuffleSegment::records).orElse(0);
            if (place.isPresent() && records > 0) {
                parts.add(new SegmentLocation(map, records, place.get()));
                // Other executors can read an output only if it is stored in one file.
            } else if (block.isEmpty() || records > 0) {
                missing.add(map);
            }
        }
        String why = missing.isEmpty() ? "" : shuffles.get().whyMissing(question.shuffle(), missing.get(0));
        return new SegmentsAnswer(parts, missing, why);
    }

    private CorruptionAnswer damage(CorruptionQuestion question) {
        return shuffles.get()
                .check(question.shuffle(), question.map(), question.reader())
                .map(missing -> new CorruptionAnswer(String.valueOf(missing.getMessage()), missing.others()))
                .orElseGet(() -> new CorruptionAnswer("", List.of()));
    }

    /**
     * Returns the segments that the stream name {@code name} lists. Empty if the name is malformed or this executor
     * lacks any of the segments.
     */
    private Optional<StreamContent> content(String name) {
        Optional<SegmentStreamNames.Wanted> wanted = SegmentStreamNames.read(name);
        if (wanted.isEmpty()) {
            return Optional.empty();
        }
        List<FileSegment> places = new ArrayList<>();
        for (int map : wanted.get().maps()) {
            shuffles.get()
                    .block(wanted.get().shuffle(), map, wanted.get().reducer())
                    .flatMap(ShuffleSegment::fileSegment)
                    .ifPresent(places::add);
        }
        if (places.size() < wanted.get().maps().size()) {
            return Optional.empty();
        }
        List<StreamContent.FilePart> files =
                places.stream().map(BlockServer::content).toList();
        return Optional.of(
                files.size() == 1 ? files.get(0) : new StreamContent.FileParts(files, SegmentStreamNames.tag(places)));
    }

    static StreamContent.FilePart content(FileSegment place) {
        return new StreamContent.FilePart(
                Path.of(place.file()), place.offset(), place.bytes(), SegmentStreamNames.tag(List.of(place)));
    }
}
