package dev.hearth.engine.internal.fetch;

import dev.hearth.spi.loop.EventLoop;
import dev.hearth.spi.net.Registration;
import dev.hearth.spi.net.RpcAddress;
import dev.hearth.spi.rpc.Dispatch;
import dev.hearth.spi.rpc.EndpointRef;
import dev.hearth.spi.rpc.EndpointUri;
import dev.hearth.spi.rpc.Peer;
import dev.hearth.spi.rpc.Protocol;
import dev.hearth.spi.rpc.RpcEndpoint;
import dev.hearth.spi.rpc.RpcScope;
import dev.hearth.spi.stream.ContentId;
import dev.hearth.spi.stream.ContentStore;
import dev.hearth.spi.stream.StreamContent;
import dev.hearth.spi.stream.StreamEntry;
import dev.hearth.spi.stream.StreamInfo;
import dev.hearth.spi.stream.StreamProvider;
import dev.hearth.spi.stream.StreamRange;
import dev.hearth.spi.stream.StreamSink;
import dev.hearth.spi.stream.Streams;
import dev.hearth.spi.stream.Transfer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.function.LongConsumer;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/** Scope that counts transfers and can corrupt or drop their bytes. For tests; used by one thread. */
final class MeteredScope implements RpcScope, Streams {
    private final RpcScope scope;
    final List<String> fetched = new ArrayList<>(); // stream names in order
    final Set<Transfer> underWay = new LinkedHashSet<>();
    int underWayMost;
    int segmentsUnderWayMost; // of shuffles, in all streams together
    private int segmentsUnderWay;
    Predicate<String> changes = name -> false; // whether a byte of the stream is corrupted

    UnaryOperator<Path> disk = file -> file; // the served content by name

    MeteredScope(RpcScope scope) {
        this.scope = scope;
    }

    @Override
    public Transfer fetch(RpcAddress from, String name, StreamRange range, StreamSink sink) {
        fetched.add(name);
        Transfer transfer = scope.streams().fetch(from, name, range, changes.test(name) ? new Changing(sink) : sink);
        underWay.add(transfer);
        underWayMost = Math.max(underWayMost, underWay.size());
        int segments = name.substring(name.lastIndexOf('/')).split("-", -1).length;
        segmentsUnderWay += segments;
        segmentsUnderWayMost = Math.max(segmentsUnderWayMost, segmentsUnderWay);
        transfer.done().whenComplete((info, failure) -> {
            underWay.remove(transfer);
            segmentsUnderWay -= segments;
        });
        return transfer;
    }

    /** Flips a bit in the last byte of the stream. */
    private record Changing(StreamSink sink) implements StreamSink {
        @Override
        public void opened(StreamInfo info) throws IOException {
            sink.opened(info);
        }

        @Override
        public void received(ByteBuffer bytes) throws IOException {
            byte[] piece = new byte[bytes.remaining()];
            bytes.get(piece);
            piece[piece.length - 1] ^= 1;
            sink.received(ByteBuffer.wrap(piece));
        }
    }

    @Override
    public Streams streams() {
        return this;
    }

    @Override
    public String name() {
        return scope.name();
    }

    @Override
    public Registration register(String endpoint, Protocol protocol, Dispatch dispatch, RpcEndpoint receiver) {
        return scope.register(endpoint, protocol, dispatch, receiver);
    }

    @Override
    public Registration register(String endpoint, Protocol protocol, EventLoop loop, RpcEndpoint receiver) {
        return scope.register(endpoint, protocol, loop, receiver);
    }

    @Override
    public CompletionStage<Peer> connect(RpcAddress address) {
        return scope.connect(address);
    }

    @Override
    public CompletionStage<Peer> self() {
        return scope.self();
    }

    @Override
    public EndpointRef ref(EndpointUri endpoint, Protocol protocol) {
        return scope.ref(endpoint, protocol);
    }

    @Override
    public Registration serve(String prefix, StreamProvider provider) {
        return scope.streams().serve(prefix, name -> provider.open(name).map(this::found));
    }

    private StreamContent found(StreamContent content) {
        return content instanceof StreamContent.FileParts several
                ? new StreamContent.FileParts(
                        several.parts().stream().map(this::found).toList(), several.tag())
                : found((StreamContent.FilePart) content);
    }

    private StreamContent.FilePart found(StreamContent.FilePart part) {
        return new StreamContent.FilePart(disk.apply(part.file()), part.offset(), part.size(), part.tag());
    }

    @Override
    public CompletionStage<StreamInfo> download(RpcAddress from, String name, Path target) {
        return scope.streams().download(from, name, target);
    }

    @Override
    public CompletionStage<List<StreamEntry>> list(RpcAddress from, String directory) {
        return scope.streams().list(from, directory);
    }

    @Override
    public Registration accept(ContentStore store) {
        return scope.streams().accept(store);
    }

    @Override
    public CompletionStage<ContentId> upload(RpcAddress to, Path file) {
        return scope.streams().upload(to, file);
    }

    @Override
    public CompletionStage<ContentId> upload(RpcAddress to, Path file, ContentId content, LongConsumer progress) {
        return scope.streams().upload(to, file, content, progress);
    }

    @Override
    public void close() {
        scope.close();
    }
}
