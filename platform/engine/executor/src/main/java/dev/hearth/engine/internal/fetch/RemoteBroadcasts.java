package dev.hearth.engine.internal.fetch;

import dev.hearth.api.HearthException;
import dev.hearth.engine.internal.disk.FileSegment;
import dev.hearth.engine.internal.disk.TemporaryFiles;
import dev.hearth.engine.internal.encryption.EncryptedBlocks;
import dev.hearth.engine.internal.protocol.BlockProtocol;
import dev.hearth.engine.internal.protocol.DriverProtocol.BroadcastFile;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.BlockServerAddress;
import dev.hearth.engine.internal.shuffle.ShuffleReadContext;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.id.ExecutorId;
import dev.hearth.spi.net.RpcAddress;
import dev.hearth.spi.rpc.RpcScope;
import dev.hearth.spi.stream.StreamContent;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Broadcast values in files, as one executor reads them: from the driver's own file where that lies on this machine, else from
 * chunks of the driver and of executors that asked before, which this one serves to those behind it. Any thread may call.
 */
public final class RemoteBroadcasts {
    private static final Logger LOG = LoggerFactory.getLogger(RemoteBroadcasts.class);
    private static final int BUFFER_BYTES = 128 * 1024;
    private static final ExecutorId DRIVER = new ExecutorId("driver");
    private static final Pattern CHUNK = Pattern.compile("(\\d{1,18})/(\\d{1,9})");

    private final RemoteShuffleReader network;
    private final Supplier<TemporaryFiles> files;
    private final BlockServerAddress driver;
    private final Map<Long, BroadcastPieces> copies = new ConcurrentHashMap<>();

    /** {@code network} says how others are reached, {@code driver} where the driver is. */
    public RemoteBroadcasts(RemoteShuffleReader network, Supplier<TemporaryFiles> files, RpcAddress driver) {
        this.files = files;
        this.network = network;
        this.driver = new BlockServerAddress(DRIVER, driver.host(), driver.toString());
    }

    /** Begins to serve; ends with the scope. */
    public void serve(RpcScope scope) {
        scope.streams().serve(BlockProtocol.BROADCASTS, this::chunk);
    }

    private Optional<StreamContent> chunk(String name) {
        Matcher numbers = CHUNK.matcher(name);
        return numbers.matches()
                ? Optional.ofNullable(copies.get(Long.parseLong(numbers.group(1))))
                        .flatMap(copy -> copy.content(Integer.parseInt(numbers.group(2))))
                : Optional.empty();
    }

    /**
     * What {@code reader} makes of all bytes of a value and of their number; the task waits for them. One task at a time may call
     * for a value; one that breaks off leaves what it has fetched to the next.
     */
    public <T> T read(long id, BroadcastFile file, ShuffleReadContext task, BiFunction<InputStream, Long, T> reader) {
        if (isHere(file)) {
            Optional<T> value = read(List.of(new FileSegment(file.file(), id, 0, 0, file.bytes())), file, reader);
            if (value.isPresent()) {
                return value.get();
            }
            LOG.warn("broadcast {}: {} is not what the driver wrote; it is asked for", id, file.file());
        }
        Optional<T> value = fetch(id, file, task, reader);
        if (value.isEmpty() && !file.holders().isEmpty()) {
            LOG.warn("broadcast {}: what executors sent of it is not what the driver wrote; it alone is asked", id);
            value = fetch(id, file.fromDriver(), task, reader);
        }
        return value.orElseThrow(() -> damaged(id));
    }

    /** Empty when what came is damaged; then it is gone. */
    private <T> Optional<T> fetch(
            long id, BroadcastFile file, ShuffleReadContext task, BiFunction<InputStream, Long, T> reader) {
        BroadcastPieces copy =
                copies.computeIfAbsent(id, missing -> new BroadcastPieces(id, file, network, files.get(), driver));
        copy.fetch(task);
        Optional<T> value = read(copy.parts(), file, reader);
        if (value.isEmpty()) {
            drop(id);
        }
        return value;
    }

    private static HearthException damaged(long id) {
        return ErrorCode.FILE_DAMAGED.failure("broadcast " + id
                + ": what lies on disk is not what was written there (expected: the same bytes); look at the disks of "
                + "this machine");
    }

    /** Whether the driver's file can be read from here. */
    private boolean isHere(BroadcastFile file) {
        try {
            Path path = Path.of(file.file());
            return network.settings().readsHostDisks() && Files.isReadable(path) && Files.size(path) == file.bytes();
        } catch (IOException | InvalidPathException elsewhere) {
            return false;
        }
    }

    /** Empty when the bytes are not those that the driver wrote. */
    private <T> Optional<T> read(List<FileSegment> parts, BroadcastFile file, BiFunction<InputStream, Long, T> reader) {
        TemporaryFiles own = files.get();
        try (BroadcastInput in = new BroadcastInput(own, parts)) {
            InputStream bytes = new BufferedInputStream(in, BUFFER_BYTES);
            T value;
            try {
                value = reader.apply(
                        own.key().map(key -> EncryptedBlocks.opened(key, bytes)).orElse(bytes), file.bytes());
            } catch (RuntimeException failure) {
                if (!in.isWhole(file.bytes(), file.checksum())) {
                    LOG.debug("broadcast value: its bytes are damaged", failure);
                    return Optional.empty();
                }
                throw failure;
            }
            return in.isWhole(file.bytes(), file.checksum()) ? Optional.of(value) : Optional.empty();
        }
    }

    /** Lets a value's files go. */
    public void drop(long id) {
        BroadcastPieces copy = copies.remove(id);
        if (copy != null) {
            copy.close();
        }
    }
}
