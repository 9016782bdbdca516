package dev.hearth.engine.internal.fetch;

import dev.hearth.api.HearthException;
import dev.hearth.engine.internal.disk.SegmentFiles;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.DefinePlaces;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.Holder;
import dev.hearth.engine.internal.shuffle.MissingOutput;
import dev.hearth.engine.internal.shuffle.PairBlocks;
import dev.hearth.engine.internal.shuffle.ReadingTask;
import dev.hearth.engine.internal.shuffle.ShuffleInputs;
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
public final class RemoteShuffles implements ShuffleInputs {
    private static final Logger LOG = LoggerFactory.getLogger(RemoteShuffles.class);
    private static final int TASKS_SHARE = 16;
    private static final long BYTES_IN_FLIGHT_MIN = 1024 * 1024;

    private final ExecutorId self;
    private final String host;
    private final FetchSettings settings;
    private final Supplier<ShuffleStore> store;
    private final Holders holders;
    private final Set<ExecutorId> apart = ConcurrentHashMap.newKeySet(); // here by name, on disks that are not ours
    private final Map<Integer, OutputTable> tables = new ConcurrentHashMap<>();

    /** {@code store} is that of the executor {@code self} on {@code host}. */
    public RemoteShuffles(
            ExecutorId self,
            String host,
            Settings settings,
            RpcScope scope,
            EventLoop loop,
            Supplier<ShuffleStore> store) {
        this(self, host, FetchSettings.from(settings), scope, loop, store);
    }

    RemoteShuffles(
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
        this.holders = new Holders(scope, loop, this.settings);
    }

    /** The driver says where outputs lie, or which of them lie elsewhere now. On the executor's loop. */
    public void define(DefinePlaces places) {
        try {
            tables.put(places.shuffle(), OutputTable.of(places, tables.get(places.shuffle())));
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
    public PairBlocks read(int shuffle, int reader, ReadingTask task) throws MissingOutput {
        OutputTable table = tables.get(shuffle);
        if (table == null) {
            throw new MissingOutput(
                    shuffle,
                    -1,
                    List.of(),
                    "shuffle " + shuffle + ": nothing is known of it (expected: where its outputs lie)");
        }
        List<Integer> missing = table.missing();
        if (!missing.isEmpty()) {
            throw new MissingOutput(
                    shuffle,
                    missing.get(0),
                    missing.subList(1, missing.size()),
                    "shuffle " + shuffle + ": the output of map task " + missing.get(0)
                            + " lies nowhere (expected: all " + table.maps() + ", of which " + missing.size()
                            + " are missing)");
        }
        return new RemoteBlocks(this, table, reader, task);
    }

    ExecutorId self() {
        return self;
    }

    boolean isSelf(ExecutorId executor) {
        return self.equals(executor);
    }

    /** Whether what an executor holds has to be sent here, and cannot be read from where it lies. */
    boolean isSent(Holder holder) {
        boolean isHere = isSelf(holder.executor()) || (settings.readsHostDisks() && host.equals(holder.host()));
        return !isHere || apart.contains(holder.executor());
    }

    /** A file of an executor on this machine, as its name says, is not here. */
    void apart(Holder holder) {
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

    SegmentFiles files() {
        return store().parts().files();
    }

    Holders holders() {
        return holders;
    }
}
