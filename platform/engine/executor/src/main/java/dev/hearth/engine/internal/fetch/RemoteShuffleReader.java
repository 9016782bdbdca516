package dev.hearth.engine.internal.fetch;

import dev.hearth.api.HearthException;
import dev.hearth.engine.internal.disk.TemporaryFiles;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.BlockServerAddress;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.UpdateLocations;
import dev.hearth.engine.internal.shuffle.FetchFailedException;
import dev.hearth.engine.internal.shuffle.ShuffleInput;
import dev.hearth.engine.internal.shuffle.ShuffleReadContext;
import dev.hearth.engine.internal.shuffle.ShuffleReader;
import dev.hearth.engine.internal.shuffle.ShuffleStore;
import dev.hearth.spi.id.ExecutorId;
import dev.hearth.spi.loop.EventLoop;
import dev.hearth.spi.net.RpcAddress;
import dev.hearth.spi.rpc.RpcScope;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.shuffle.SegmentProtocol.SegmentsAnswer;
import dev.hearth.spi.shuffle.SegmentProtocol.SegmentsQuestion;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads map outputs for the tasks of one executor, at the locations that the driver sent. Reads from that executor's
 * own store, from files of other executors on the same machine, or over the network. Lives as long as its executor; any
 * thread may call.
 */
public final class RemoteShuffleReader implements ShuffleReader {
    private static final Logger LOG = LoggerFactory.getLogger(RemoteShuffleReader.class);
    private static final int TASKS_SHARE = 16;
    private static final long BYTES_IN_FLIGHT_MIN = 1024 * 1024;

    private final ExecutorId self;
    private final String host;
    private final String address;
    private final FetchSettings settings;
    private final Supplier<ShuffleStore> store;
    private final FetchClient holders;
    private final Optional<HostOutputs> here;
    // Executors on hosts with this machine's name, but with other disks.
    private final Set<ExecutorId> withoutSharedDisks = ConcurrentHashMap.newKeySet();
    private final Map<Integer, MapOutputTable> tables = new ConcurrentHashMap<>();

    /**
     * {@code self} is the executor for which this object reads, {@code host} is its host, and {@code address} the host
     * name or IP address at which it serves its own outputs. {@code store} contains these outputs.
     */
    public RemoteShuffleReader(
            ExecutorId self,
            String host,
            String address,
            Settings settings,
            RpcScope scope,
            EventLoop loop,
            Supplier<ShuffleStore> store) {
        this(self, host, address, FetchSettings.from(settings), scope, Optional.empty(), Optional.empty(), loop, store);
    }

    /**
     * As above; {@code services} is the scope in which shuffle services serve this application, and {@code here} are the
     * outputs of the service on this host. Both are empty if there are no services.
     */
    public RemoteShuffleReader(
            ExecutorId self,
            String host,
            String address,
            Settings settings,
            RpcScope scope,
            Optional<RpcScope> services,
            Optional<HostOutputs> here,
            EventLoop loop,
            Supplier<ShuffleStore> store) {
        this(self, host, address, FetchSettings.from(settings), scope, services, here, loop, store);
    }

    RemoteShuffleReader(
            ExecutorId self,
            String host,
            String address,
            FetchSettings settings,
            RpcScope scope,
            Optional<RpcScope> services,
            Optional<HostOutputs> here,
            EventLoop loop,
            Supplier<ShuffleStore> store) {
        this.here = here.filter(outputs -> settings.readsHostDisks());
        this.self = self;
        this.host = host;
        this.address = address;
        this.settings = settings;
        this.store = store;
        this.holders = new FetchClient(scope, services, loop, this.settings);
    }

    /**
     * Stores the locations of map outputs that the driver sent: all locations of a shuffle, or the changes since the
     * last message. Called on the executor's event loop.
     */
    public void define(UpdateLocations places) {
        try {
            tables.put(places.shuffle(), MapOutputTable.of(places, tables.get(places.shuffle())));
        } catch (HearthException senseless) {
            tables.remove(places.shuffle()); // the driver sent newer locations, so the old table is obsolete too
            throw senseless;
        }
    }

    /** Forgets where the map outputs of shuffle {@code shuffle} are, after the shuffle was removed. */
    public void forget(int shuffle) {
        tables.remove(shuffle);
    }

    /** Fails all pending requests for map outputs to the executor {@code executor}, which is lost. */
    public void gone(ExecutorId executor) {
        holders.gone(executor);
        withoutSharedDisks.remove(executor);
    }

    @Override
    public ShuffleInput read(int shuffle, int reducer, ShuffleReadContext task) throws FetchFailedException {
        MapOutputTable table = tables.get(shuffle);
        if (table == null) {
            throw new FetchFailedException(
                    shuffle,
                    -1,
                    List.of(),
                    "shuffle " + shuffle + ": unknown (expected: the locations of its map outputs)");
        }
        List<Integer> missing = table.missing();
        if (!missing.isEmpty()) {
            throw new FetchFailedException(
                    shuffle,
                    missing.get(0),
                    missing.subList(1, missing.size()),
                    "shuffle " + shuffle + ": the output of map task " + missing.get(0)
                            + " is on no executor (expected: all " + table.maps() + ", of which " + missing.size()
                            + " are missing)");
        }
        return new RemoteShuffleInput(this, table, reducer, task);
    }

    ExecutorId self() {
        return self;
    }

    boolean isSelf(ExecutorId executor) {
        return self.equals(executor);
    }

    /**
     * Whether the map outputs of the executor {@code holder} must be fetched over the network, because this process
     * cannot read that executor's files.
     */
    boolean isSent(BlockServerAddress holder) {
        boolean isHere = isSelf(holder.executor()) || (settings.readsHostDisks() && isOnThisMachine(holder));
        return !isHere || withoutSharedDisks.contains(holder.executor());
    }

    /**
     * Whether an executor has the host and the address of this one. Two pods have the same host, which is their node,
     * but addresses and disks of their own.
     */
    private boolean isOnThisMachine(BlockServerAddress holder) {
        return host.equals(holder.host())
                && RpcAddress.parse(holder.address())
                        .filter(peer -> peer.host().equals(address))
                        .isPresent();
    }

    /** Records that an executor does not share this machine's disks, although its host has the same name. */
    void disksNotShared(BlockServerAddress holder) {
        if (withoutSharedDisks.add(holder.executor())) {
            LOG.info(
                    "executor {} on {}: its files are not on this machine (expected: visible, as the host has the"
                            + " same name); they are fetched over the network from now on",
                    holder.executor(),
                    holder.host());
        }
    }

    /**
     * Returns the maximum number of bytes that one task prefetches. This is a sixteenth of the memory of all tasks in
     * the process, at most the configured limit.
     */
    long bytesInFlight() {
        long share = store().services().memory().total() / TASKS_SHARE;
        return Math.min(settings.bytesInFlight(), Math.max(BYTES_IN_FLIGHT_MIN, share));
    }

    FetchSettings settings() {
        return settings;
    }

    ShuffleStore store() {
        return store.get();
    }

    TemporaryFiles files() {
        return store().services().files();
    }

    /** Asks where segments are on {@code holder}, unless this executor can find them on the disks of its host. */
    CompletableFuture<SegmentsAnswer> locate(BlockServerAddress holder, SegmentsQuestion question) {
        return here.filter(outputs -> outputs.answers(holder.executor(), question))
                .map(outputs -> CompletableFuture.completedFuture(outputs.answer(question)))
                .orElseGet(() -> holders.ask(holder, question, SegmentsAnswer.class));
    }

    FetchClient holders() {
        return holders;
    }
}
