package dev.hearth.testkit;

import dev.hearth.api.HearthException;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.error.Failures;
import dev.hearth.spi.net.Bytes;
import dev.hearth.spi.net.Registration;
import dev.hearth.spi.net.RpcAddress;
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
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Transfers of bulk data in a simulated scope. The content of each transfer arrives as a whole; the larger it is, the
 * later it arrives. Closed together with its scope.
 */
final class SimulatedStreams implements Streams {
    private static final int CONTENT_BYTES_MAX = 256 * 1024 * 1024;
    private static final int PIECE_BYTES_MAX = 64 * 1024;
    private static final int DOWNLOAD_ATTEMPTS_MAX = 6;

    private final SimulatedScope scope;
    private final Map<String, Offered<StreamProvider>> providers = new TreeMap<>();
    private final Set<SimulatedExchange<?>> underWay = new LinkedHashSet<>();
    private @Nullable Offered<ContentStore> store; // null while uploads are not accepted

    SimulatedStreams(SimulatedScope scope) {
        this.scope = scope;
    }

    @Override
    public Registration serve(String prefix, StreamProvider provider) {
        String path = prefix.endsWith("/") ? prefix.substring(0, prefix.length() - 1) : prefix;
        Offered<StreamProvider> own = new Offered<>(provider);
        if (providers.putIfAbsent(path, own) != null) {
            throw new IllegalStateException("streams " + prefix + ": served twice (expected: once, or closed first)");
        }
        return () -> providers.remove(path, own);
    }

    @Override
    public Registration accept(ContentStore taking) {
        if (store != null) {
            throw new IllegalStateException("uploads: taken twice (expected: once, or closed first)");
        }
        Offered<ContentStore> own = new Offered<>(taking);
        store = own;
        return () -> store = store == own ? null : store;
    }

    @Override
    public Transfer fetch(RpcAddress from, String name, StreamRange range, StreamSink sink) {
        SimulatedTransfer transfer = new SimulatedTransfer(from + ": " + name, sink);
        exchange(from, there -> there.read(name, range)).whenComplete(transfer::arrived);
        return transfer;
    }

    @Override
    public CompletionStage<StreamInfo> download(RpcAddress from, String name, Path target) {
        CompletableFuture<StreamInfo> done = new CompletableFuture<>();
        download(from, name, target, 1, done);
        return done;
    }

    @Override
    public CompletionStage<List<StreamEntry>> list(RpcAddress from, String directory) {
        return exchange(from, there -> new SimulatedExchange.Result<>(there.entries(directory), 0));
    }

    @Override
    public CompletionStage<ContentId> upload(RpcAddress to, Path file) {
        byte[] content;
        try {
            content = Files.readAllBytes(file);
        } catch (IOException unreadable) {
            return CompletableFuture.failedStage(ErrorCode.PATH_MISSING.failure(
                    file + ": cannot be read, " + unreadable + " (expected: a file to upload)", unreadable));
        }
        ContentId id = id(content);
        return exchange(to, there -> there.take(id, content));
    }

    @Override
    public CompletionStage<ContentId> upload(RpcAddress to, Path file, ContentId content, LongConsumer progress) {
        return upload(to, file).thenApply(sent -> {
            if (!sent.equals(content)) {
                throw ErrorCode.STREAM_DAMAGED.failure(
                        "content " + content + ": received " + sent + " (expected: content of that hash)");
            }
            return sent;
        });
    }

    List<String> prefixes() {
        return List.copyOf(providers.keySet());
    }

    void close() {
        providers.clear();
        store = null;
        List.copyOf(underWay).forEach(SimulatedExchange::end);
    }

    private <T> CompletionStage<T> exchange(RpcAddress with, SimulatedExchange.Work<T> work) {
        SimulatedExchange<T> exchange = new SimulatedExchange<>(scope, with, work);
        underWay.add(exchange);
        CompletionStage<T> done = exchange.begin();
        done.whenComplete((value, failure) -> underWay.remove(exchange));
        return done;
    }

    private void download(RpcAddress from, String name, Path target, int attempt, CompletableFuture<StreamInfo> done) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        fetch(from, name, StreamRange.ALL, buffer -> append(bytes, buffer))
                .done()
                .whenComplete((info, failure) -> {
                    if (failure == null) {
                        complete(done, info, target, bytes.toByteArray());
                        return;
                    }
                    ErrorCode code = Failures.code(failure);
                    boolean again = code == ErrorCode.PEER_LOST || (code == ErrorCode.PEER_UNREACHABLE && attempt > 1);
                    if (again && attempt < DOWNLOAD_ATTEMPTS_MAX && scope.isOpen()) {
                        Duration first = scope.env().settings().times().reconnectFirst();
                        scope.process()
                                .schedule(
                                        first.multipliedBy(1L << attempt),
                                        () -> download(from, name, target, attempt + 1, done));
                    } else {
                        done.completeExceptionally(Failures.unwrap(failure));
                    }
                });
    }

    private static void complete(CompletableFuture<StreamInfo> done, StreamInfo info, Path target, byte[] content) {
        try {
            Path beside = target.resolveSibling(target.getFileName() + ".part");
            Files.write(beside, content);
            Files.move(beside, target, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
            done.complete(info);
        } catch (IOException unwritable) {
            done.completeExceptionally(ErrorCode.PATH_MISSING.failure(
                    target + ": cannot be written, " + unwritable + " (expected: a place for a file)", unwritable));
        }
    }

    private SimulatedExchange.Result<Piece> read(String name, StreamRange range) throws IOException {
        Optional<StreamContent> found = Optional.empty();
        Optional<Map.Entry<String, Offered<StreamProvider>>> provider = provider(name);
        if (provider.isPresent()) {
            found = provider.get()
                    .getValue()
                    .what
                    .open(rest(name, provider.get().getKey()));
        }
        StreamContent content = found.orElseThrow(() -> missing(name));
        if (range.tag().isPresent() && !range.tag().get().equals(content.tag())) {
            throw ErrorCode.STREAM_CHANGED.failure("stream " + name + ": its tag is " + content.tag() + " (expected: "
                    + range.tag().get() + "); fetch it from the beginning");
        }
        long offset = range.offset();
        if (offset > content.size()) {
            throw ErrorCode.BAD_ARGUMENT.failure("stream " + name + ": requested from byte " + offset
                    + " (expected: at most its size, " + content.size() + ")");
        }
        long length = Math.min(range.length().orElse(Long.MAX_VALUE), content.size() - offset);
        if (length > CONTENT_BYTES_MAX) {
            throw new IllegalStateException("simulated stream " + name + ": " + length + " bytes (expected: at most "
                    + CONTENT_BYTES_MAX + ")");
        }
        StreamInfo info = new StreamInfo(content.size(), content.tag(), offset, length);
        return new SimulatedExchange.Result<>(
                new Piece(info, Bytes.owning(bytes(content, offset, (int) length))), length);
    }

    private List<StreamEntry> entries(String directory) throws IOException {
        Optional<List<StreamEntry>> found = Optional.empty();
        Optional<Map.Entry<String, Offered<StreamProvider>>> provider = provider(directory);
        if (provider.isPresent()) {
            found = provider.get()
                    .getValue()
                    .what
                    .list(rest(directory, provider.get().getKey()));
        }
        return found.orElseThrow(() -> missing(directory)).stream()
                .sorted(Comparator.comparing(StreamEntry::name))
                .toList();
    }

    private SimulatedExchange.Result<ContentId> take(ContentId id, byte[] content) throws IOException {
        Offered<ContentStore> offered = store;
        if (offered == null) {
            throw ErrorCode.STREAM_MISSING.failure(
                    "upload of " + id + ": no store accepts uploads in " + scope + " (expected: a content store)");
        }
        ContentStore taking = offered.what;
        if (taking.find(id).isPresent()) {
            return new SimulatedExchange.Result<>(id, 0);
        }
        Path arrived = Files.createTempFile("upload", ".part");
        try {
            Files.write(arrived, content);
            return new SimulatedExchange.Result<>(taking.add(arrived), content.length);
        } finally {
            Files.deleteIfExists(arrived);
        }
    }

    private Optional<Map.Entry<String, Offered<StreamProvider>>> provider(String name) {
        if (List.of(name.split("/", -1)).contains("..")) {
            throw ErrorCode.BAD_ARGUMENT.failure(
                    "stream name: '" + name + "' (expected: a path such as jars/app.jar, without . and ..)");
        }
        return providers.entrySet().stream()
                .filter(entry -> entry.getKey().isEmpty()
                        || name.equals(entry.getKey())
                        || name.startsWith(entry.getKey() + "/"))
                .max(Comparator.comparingInt(entry -> entry.getKey().length()));
    }

    private static String rest(String name, String prefix) {
        if (prefix.isEmpty()) {
            return name;
        }
        return name.equals(prefix) ? "" : name.substring(prefix.length() + 1);
    }

    private HearthException missing(String name) {
        return ErrorCode.STREAM_MISSING.failure("stream " + name + ": no stream of that name in " + scope
                + " (expected: below one of" + " " + prefixes() + ")");
    }

    private static byte[] bytes(StreamContent content, long offset, int length) throws IOException {
        if (content instanceof StreamContent.FilePart part) {
            try (InputStream in = Files.newInputStream(part.file())) {
                in.skipNBytes(part.offset() + offset);
                return in.readNBytes(length);
            }
        }
        if (content instanceof StreamContent.FileParts several) {
            return bytes(several, offset, length);
        }
        StreamContent.InMemory memory = (StreamContent.InMemory) content;
        byte[] piece = new byte[length];
        memory.bytes().read(all -> System.arraycopy(all, (int) offset, piece, 0, length));
        return piece;
    }

    private static byte[] bytes(StreamContent.FileParts content, long offset, int length) throws IOException {
        ByteArrayOutputStream piece = new ByteArrayOutputStream();
        long begin = 0; // offset of the part within the whole content
        for (StreamContent.FilePart part : content.parts()) {
            long from = Math.max(begin, offset);
            long until = Math.min(begin + part.size(), offset + length);
            if (from < until) {
                piece.writeBytes(bytes(part, from - begin, (int) (until - from)));
            }
            begin += part.size();
        }
        return piece.toByteArray();
    }

    private static void append(ByteArrayOutputStream bytes, ByteBuffer buffer) {
        byte[] piece = new byte[buffer.remaining()];
        buffer.get(piece);
        bytes.writeBytes(piece);
    }

    private static ContentId id(byte[] content) {
        MessageDigest digest = ContentId.digest();
        digest.update(content);
        return ContentId.of(digest);
    }

    /**
     * A provider or content store that a process has registered. Registrations are compared by identity, because the
     * same object may be registered twice. Immutable.
     */
    private static final class Offered<T> {
        private final T what;

        Offered(T what) {
            this.what = what;
        }
    }

    /** Requested range of a stream: the metadata of the transfer and the bytes of the range. */
    private record Piece(StreamInfo info, Bytes content) {}

    /**
     * Fetch in the simulation: the content arrives in one piece; if the reader has paused the fetch, only after {@code
     * resume}.
     */
    private static final class SimulatedTransfer implements Transfer {
        private final String what;
        private final StreamSink sink;
        private final CompletableFuture<StreamInfo> done = new CompletableFuture<>();
        private Runnable waiting = () -> {}; // action on arrival, if it came during a pause
        private boolean paused;

        SimulatedTransfer(String what, StreamSink sink) {
            this.what = what;
            this.sink = sink;
        }

        @Override
        public CompletionStage<StreamInfo> done() {
            return done;
        }

        @Override
        public void pause() {
            paused = true;
        }

        @Override
        public void resume() {
            paused = false;
            Runnable next = waiting;
            waiting = () -> {};
            next.run();
        }

        @Override
        public void abort() {
            done.completeExceptionally(
                    ErrorCode.TRANSFER_ABORTED.failure(what + ": aborted by its reader (expected: read to the end)"));
        }

        void arrived(@Nullable Piece piece, @Nullable Throwable failure) {
            if (piece == null) {
                done.completeExceptionally(Failures.unwrap(
                        failure == null
                                ? new IllegalStateException(what + ": neither content nor a failure" + " arrived")
                                : failure));
            } else if (paused) {
                waiting = () -> arrived(piece, null);
            } else if (!done.isDone()) {
                handOver(piece);
            }
        }

        private void handOver(Piece piece) {
            try {
                sink.opened(piece.info());
                byte[] content = piece.content().toArray();
                for (int at = 0; at < content.length && !done.isDone(); at += PIECE_BYTES_MAX) {
                    int length = Math.min(PIECE_BYTES_MAX, content.length - at);
                    sink.received(ByteBuffer.wrap(content, at, length).slice());
                }
                done.complete(piece.info());
            } catch (IOException | RuntimeException failure) {
                done.completeExceptionally(
                        Failures.asHearth(failure, ErrorCode.INTERNAL, what + ": its reader failed"));
            }
        }
    }
}
