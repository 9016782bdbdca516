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
import dev.hearth.spi.rpc.RpcScope;
import dev.hearth.spi.settings.Settings;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The shuffles of an application as one of its executors reads them: where the driver says that outputs lie, here, on this machine
 * or elsewhere. Lives with its executor; any thread may call.
 */
public final class RemoteShuffleReader implements ShuffleReader {
    private static final Logger LOG = LoggerFactory.getLogger(RemoteShuffleReader.class);
    private static final int TASKS_SHARE = 16;
    private static final long BYTES_IN_FLIGHT_MIN = 1024 * 1024;

    private final ExecutorId self;
    private final String host;
    private final FetchSettings settings;
    private final Supplier<ShuffleStore> store;
    private final FetchClient holders;
    private final Set<ExecutorId> apart = ConcurrentHashMap.newKeySet(); // here by name, on disks that are not ours
    private final Map<Integer, MapOutputTable> tables = new ConcurrentHashMap<>();

    /** {@code store} is that of the executor {@code self} on {@code host}. */
    public RemoteShuffleReader(
            ExecutorId self,
            String host,
            Settings settings,
            RpcScope scope,
            EventLoop loop,
            Supplier<ShuffleStore> store) {
        this(self, host, FetchSettings.from(settings), scope, loop, store);
    }

    RemoteShuffleReader(
            ExecutorId self,
            String host,
            FetchSettings settings,
            RpcScope scope,
            EventLoop loop,
            Supplier<ShuffleStore> store) {
        this.self = self;
        this.host = host;
        this.settings = settings;
        this.store = store;
        this.holders = new FetchClient(scope, loop, this.settings);
    }

    /** The driver says where outputs lie, or which of them lie elsewhere now. On the executor's loop. */
    public void define(UpdateLocations places) {
        try {
            tables.put(places.shuffle(), MapOutputTable.of(places, tables.get(places.shuffle())));
        } catch (HearthException senseless) {
            tables.remove(places.shuffle()); // nothing is known any more: what was is not so now
            throw senseless;
        }
    }

    /** Nobody reads the shuffle any more. */
    public void forget(int shuffle) {
        tables.remove(shuffle);
    }

    /** An executor is gone: who waits for it waits no longer. */
    public void gone(ExecutorId executor) {
        holders.gone(executor);
        apart.remove(executor);
    }

    @Override
    public ShuffleInput read(int shuffle, int reader, ShuffleReadContext task) throws FetchFailedException {
        MapOutputTable table = tables.get(shuffle);
        if (table == null) {
            throw new FetchFailedException(
                    shuffle,
                    -1,
                    List.of(),
                    "shuffle " + shuffle + ": nothing is known of it (expected: where its outputs lie)");
        }
        List<Integer> missing = table.missing();
        if (!missing.isEmpty()) {
            throw new FetchFailedException(
                    shuffle,
                    missing.get(0),
                    missing.subList(1, missing.size()),
                    "shuffle " + shuffle + ": the output of map task " + missing.get(0)
                            + " lies nowhere (expected: all " + table.maps() + ", of which " + missing.size()
                            + " are missing)");
        }
        return new RemoteShuffleInput(this, table, reader, task);
    }

    ExecutorId self() {
        return self;
    }

    boolean isSelf(ExecutorId executor) {
        return self.equals(executor);
    }

    /** Whether what an executor holds has to be sent here, and cannot be read from where it lies. */
    boolean isSent(BlockServerAddress holder) {
        boolean isHere = isSelf(holder.executor()) || (settings.readsHostDisks() && host.equals(holder.host()));
        return !isHere || apart.contains(holder.executor());
    }

    /** A file of an executor on this machine, as its name says, is not here. */
    void apart(BlockServerAddress holder) {
        if (apart.add(holder.executor())) {
            LOG.info(
                    "executor {} on {}: its files are not on this machine (expected: so, by the name of its host);"
                            + " they are sent here from now on",
                    holder.executor(),
                    holder.host());
        }
    }

    /** How much one task may have sent to it ahead: a sixteenth of what all tasks of the process may have, and as is set. */
    long bytesInFlight() {
        long share = store().parts().memory().total() / TASKS_SHARE;
        return Math.min(settings.bytesInFlight(), Math.max(BYTES_IN_FLIGHT_MIN, share));
    }

    FetchSettings settings() {
        return settings;
    }

    ShuffleStore store() {
        return store.get();
    }

    TemporaryFiles files() {
        return store().parts().files();
    }

    FetchClient holders() {
        return holders;
    }
}
