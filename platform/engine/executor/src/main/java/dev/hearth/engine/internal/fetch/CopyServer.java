package dev.hearth.engine.internal.fetch;

import dev.hearth.engine.internal.protocol.ReplicationProtocol;
import dev.hearth.engine.internal.protocol.ReplicationProtocol.CachedBlockAnswer;
import dev.hearth.engine.internal.protocol.ReplicationProtocol.CachedBlockQuestion;
import dev.hearth.engine.internal.protocol.ReplicationProtocol.MapOutputAnswer;
import dev.hearth.engine.internal.protocol.ReplicationProtocol.MapOutputDescription;
import dev.hearth.engine.internal.protocol.ReplicationProtocol.MapOutputQuestion;
import dev.hearth.engine.internal.protocol.ReplicationProtocol.PageAnswer;
import dev.hearth.engine.internal.protocol.ReplicationProtocol.PageQuestion;
import dev.hearth.engine.internal.shuffle.MapOutputFile;
import dev.hearth.engine.internal.shuffle.ShuffleStore;
import dev.hearth.engine.internal.storage.BlockId;
import dev.hearth.engine.internal.storage.BlockPage;
import dev.hearth.engine.internal.storage.BlockStore;
import dev.hearth.spi.net.Bytes;
import dev.hearth.spi.rpc.Dispatch;
import dev.hearth.spi.rpc.Receiver;
import dev.hearth.spi.rpc.RpcScope;
import dev.hearth.spi.stream.StreamContent;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves cached blocks and whole map outputs for replication, migration and remote reads. Stateless; ends with its RPC
 * scope.
 */
public final class CopyServer {
    private static final Logger LOG = LoggerFactory.getLogger(CopyServer.class);

    private static final Pattern CACHED = Pattern.compile("(\\d{1,9})/(\\d{1,9})/(\\d{1,18})");
    private static final Pattern OUTPUT = Pattern.compile("(\\d{1,9})/(\\d{1,9})");

    private final Supplier<BlockStore> blocks;
    private final Supplier<ShuffleStore> shuffles;

    private CopyServer(Supplier<BlockStore> blocks, Supplier<ShuffleStore> shuffles) {
        this.blocks = blocks;
        this.shuffles = shuffles;
    }

    /**
     * Registers, in {@code scope}, the server from which other executors copy this executor's cached blocks and map
     * outputs. It answers on a separate thread, because serialising a block may run user code.
     */
    public static void open(RpcScope scope, Supplier<BlockStore> blocks, Supplier<ShuffleStore> shuffles) {
        CopyServer server = new CopyServer(blocks, shuffles);
        Receiver receiver = Receiver.of(ReplicationProtocol.ENDPOINT)
                .answer(CachedBlockQuestion.class, (question, peer) -> server.block(question))
                .answer(PageQuestion.class, (question, peer) -> server.page(question))
                .answer(MapOutputQuestion.class, (question, peer) -> server.output(question))
                .build();
        scope.register(ReplicationProtocol.ENDPOINT, ReplicationProtocol.PROTOCOL, Dispatch.ownThread(), receiver);
        scope.streams().serve(ReplicationProtocol.KEPT, server::blockFile);
        scope.streams().serve(ReplicationProtocol.OUTPUTS, server::outputFile);
    }

    private CachedBlockAnswer block(CachedBlockQuestion question) {
        return blocks.get()
                .view(new BlockId(question.dataset(), question.partition()))
                .map(view -> new CachedBlockAnswer(true, view.version(), view.records(), view.fileSegment()))
                .orElseGet(() -> new CachedBlockAnswer(false, 0, 0, Optional.empty()));
    }

    private PageAnswer page(PageQuestion question) {
        BlockId id = new BlockId(question.dataset(), question.partition());
        return blocks.get()
                .page(id, question.version(), question.chunk(), question.index())
                .map(CopyServer::answer)
                .orElseGet(() -> new PageAnswer(false, Bytes.EMPTY, 0, 0, 0, true));
    }

    private static PageAnswer answer(BlockPage page) {
        return new PageAnswer(
                true, Bytes.owning(page.bytes()), page.records(), page.chunk(), page.index(), page.last());
    }

    private MapOutputAnswer output(MapOutputQuestion question) {
        return new MapOutputAnswer(
                shuffles.get().stored(question.shuffle(), question.map()).flatMap(CopyServer::file));
    }

    /**
     * Describes the map output {@code output} to an executor that asks for a copy; empty if the file of the output no
     * longer exists.
     */
    private static Optional<MapOutputDescription> file(MapOutputFile output) {
        try {
            return Optional.of(new MapOutputDescription(
                    output.maps(),
                    output.run(),
                    output.file().isPresent() ? Files.size(Path.of(output.file().get())) : 0,
                    IntStream.of(output.records()).boxed().toList()));
        } catch (IOException gone) {
            LOG.warn("{}: cannot be copied: {}", output.file().orElse(""), gone.toString());
            return Optional.empty();
        }
    }

    private Optional<StreamContent> blockFile(String name) {
        Matcher numbers = CACHED.matcher(name);
        return numbers.matches()
                ? blocks.get()
                        .view(new BlockId(number(numbers, 1), number(numbers, 2)))
                        .filter(view -> view.version() == Long.parseLong(numbers.group(3)))
                        .flatMap(view -> view.fileSegment())
                        .map(BlockServer::content)
                : Optional.empty();
    }

    private Optional<StreamContent> outputFile(String name) throws IOException {
        Matcher numbers = OUTPUT.matcher(name);
        Optional<MapOutputFile> stored =
                numbers.matches() ? shuffles.get().stored(number(numbers, 1), number(numbers, 2)) : Optional.empty();
        if (stored.isEmpty() || stored.get().file().isEmpty()) {
            return Optional.empty();
        }
        Path file = Path.of(stored.get().file().get());
        return Optional.of(new StreamContent.FilePart(
                file, 0, Files.size(file), String.valueOf(stored.get().run())));
    }

    private static int number(Matcher numbers, int group) {
        return Integer.parseInt(numbers.group(group));
    }
}
