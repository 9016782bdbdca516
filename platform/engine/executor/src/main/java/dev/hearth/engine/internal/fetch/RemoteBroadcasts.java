package dev.hearth.engine.internal.fetch;

import dev.hearth.api.HearthException;
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
import dev.hearth.spi.shuffle.FileSegment;
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
 * Reads broadcast values for the tasks of one executor. Uses the driver's file if the driver is on this machine.
 * Otherwise fetches chunks from the driver and from executors that already have them. This executor then serves its
 * chunks to other executors. Any thread may call.
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

    /**
     * {@code network} reaches other executors, {@code files} supplies the temporary files for fetched chunks, and
     * {@code driver} is the address of the driver.
     */
    public RemoteBroadcasts(RemoteShuffleReader network, Supplier<TemporaryFiles> files, RpcAddress driver) {
        this.files = files;
        this.network = network;
        this.driver = new BlockServerAddress(DRIVER, driver.host(), driver.toString());
    }

    /**
     * Lets other executors fetch the chunks of broadcast values that this executor has, until {@code scope} is closed.
     */
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
     * Applies {@code reader} to the bytes of the broadcast value {@code id} and their number, and returns its result.
     * Blocks the thread of {@code task} until the bytes have arrived. Only one task at a time may call for the same
     * value. If that task fails, a call for another task continues with the chunks already fetched.
     */
    public <T> T read(long id, BroadcastFile file, ShuffleReadContext task, BiFunction<InputStream, Long, T> reader) {
        if (isHere(file)) {
            Optional<T> value = read(List.of(new FileSegment(file.file(), id, 0, 0, file.bytes())), file, reader);
            if (value.isPresent()) {
                return value.get();
            }
            LOG.warn(
                    "broadcast {}: {} is not the file that the driver wrote; the value is fetched instead",
                    id,
                    file.file());
        }
        Optional<T> value = fetch(id, file, task, reader);
        if (value.isEmpty() && !file.holders().isEmpty()) {
            LOG.warn(
                    "broadcast {}: its chunks from other executors are corrupt; it is fetched from the driver alone",
                    id);
            value = fetch(id, file.fromDriver(), task, reader);
        }
        return value.orElseThrow(() -> damaged(id));
    }

    /**
     * Fetches the missing chunks of the value and applies {@code reader} to them. If the chunks are corrupt, deletes
     * them and returns empty.
     */
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
                + ": its bytes on disk are corrupt (expected: the bytes that were written); check the disks of "
                + "this machine");
    }

    /** Whether this process can read the driver's file {@code file} directly, because both run on the same machine. */
    private boolean isHere(BroadcastFile file) {
        try {
            Path path = Path.of(file.file());
            return network.settings().readsHostDisks() && Files.isReadable(path) && Files.size(path) == file.bytes();
        } catch (IOException | InvalidPathException elsewhere) {
            return false;
        }
    }

    /**
     * Applies {@code reader} to the bytes in {@code parts}. Returns empty if the bytes differ from those that the
     * driver wrote.
     */
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
                    LOG.debug("broadcast value: its bytes are corrupt", failure);
                    return Optional.empty();
                }
                throw failure;
            }
            return in.isWhole(file.bytes(), file.checksum()) ? Optional.of(value) : Optional.empty();
        }
    }

    /** Deletes this executor's copy of the broadcast value {@code id}, if there is one. */
    public void drop(long id) {
        BroadcastPieces copy = copies.remove(id);
        if (copy != null) {
            copy.close();
        }
    }
}
