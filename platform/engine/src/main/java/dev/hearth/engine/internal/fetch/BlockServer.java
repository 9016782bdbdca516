package dev.hearth.engine.internal.fetch;

import dev.hearth.engine.internal.disk.SegmentPart;
import dev.hearth.engine.internal.protocol.BlockProtocol;
import dev.hearth.engine.internal.protocol.BlockProtocol.DamageAnswer;
import dev.hearth.engine.internal.protocol.BlockProtocol.DamageQuestion;
import dev.hearth.engine.internal.protocol.BlockProtocol.Part;
import dev.hearth.engine.internal.protocol.BlockProtocol.PartsAnswer;
import dev.hearth.engine.internal.protocol.BlockProtocol.PartsQuestion;
import dev.hearth.engine.internal.shuffle.PairBlock;
import dev.hearth.engine.internal.shuffle.ShuffleStore;
import dev.hearth.spi.rpc.Dispatch;
import dev.hearth.spi.rpc.Receiver;
import dev.hearth.spi.rpc.RpcScope;
import dev.hearth.spi.stream.StreamContent;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Serves what this executor holds to the others of its application. No state of its own; ends with its scope. */
public final class BlockServer {
    private static final Pattern PART = Pattern.compile("(\\d{1,9})/(\\d{1,9})/(\\d{1,9})");

    private final Supplier<ShuffleStore> shuffles;

    private BlockServer(Supplier<ShuffleStore> shuffles) {
        this.shuffles = shuffles;
    }

    /** Begins to serve. */
    public static void open(RpcScope scope, Supplier<ShuffleStore> shuffles) {
        BlockServer server = new BlockServer(shuffles);
        Receiver receiver = Receiver.of(BlockProtocol.ENDPOINT)
                .answer(PartsQuestion.class, (question, peer) -> server.parts(question))
                .answer(DamageQuestion.class, (question, peer) -> server.damage(question))
                .build();
        scope.register(BlockProtocol.ENDPOINT, BlockProtocol.PROTOCOL, Dispatch.ownThread(), receiver);
        scope.streams().serve(BlockProtocol.SHUFFLES, server::part);
    }

    private PartsAnswer parts(PartsQuestion question) {
        List<Part> parts = new ArrayList<>();
        List<Integer> missing = new ArrayList<>();
        for (int map : question.maps()) {
            Optional<PairBlock> block = shuffles.get().block(question.shuffle(), map, question.reader());
            if (block.isEmpty()) {
                missing.add(map);
            } else {
                int records = block.get().records();
                block.get().place().ifPresent(place -> parts.add(new Part(map, records, place)));
            }
        }
        return new PartsAnswer(parts, missing);
    }

    private DamageAnswer damage(DamageQuestion question) {
        return shuffles.get()
                .check(question.shuffle(), question.map(), question.reader())
                .map(missing -> new DamageAnswer(String.valueOf(missing.getMessage()), missing.others()))
                .orElseGet(() -> new DamageAnswer("", List.of()));
    }

    private Optional<StreamContent> part(String name) {
        Matcher numbers = PART.matcher(name);
        return numbers.matches()
                ? shuffles.get()
                        .block(number(numbers, 1), number(numbers, 2), number(numbers, 3))
                        .flatMap(PairBlock::place)
                        .map(BlockServer::content)
                : Optional.empty();
    }

    private static int number(Matcher numbers, int group) {
        return Integer.parseInt(numbers.group(group));
    }

    static StreamContent content(SegmentPart place) {
        return new StreamContent.FilePart(
                Path.of(place.file()), place.offset(), place.bytes(), Long.toHexString(place.id()));
    }
}
