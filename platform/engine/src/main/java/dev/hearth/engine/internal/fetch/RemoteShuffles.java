package dev.hearth.engine.internal.fetch;

import dev.hearth.engine.internal.disk.SegmentFiles;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.DefinePlaces;
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
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * The shuffles of an application as one of its executors reads them: where the driver says that outputs lie, here, on this machine
 * or elsewhere. Lives with its executor; any thread may call.
 */
public final class RemoteShuffles implements ShuffleInputs {
    private final ExecutorId self;
    private final String host;
    private final FetchSettings settings;
    private final Supplier<ShuffleStore> store;
    private final Supplier<SegmentFiles> files;
    private final Holders holders;
    private final Map<Integer, OutputTable> tables = new ConcurrentHashMap<>();

    /** {@code store} and {@code files} are those of the executor {@code self} on {@code host}. */
    public RemoteShuffles(
            ExecutorId self,
            String host,
            Settings settings,
            RpcScope scope,
            EventLoop loop,
            Supplier<ShuffleStore> store,
            Supplier<SegmentFiles> files) {
        this.self = self;
        this.host = host;
        this.settings = FetchSettings.from(settings);
        this.store = store;
        this.files = files;
        this.holders = new Holders(scope, loop, this.settings);
    }

    /** The driver says where outputs lie. */
    public void define(DefinePlaces places) {
        tables.put(places.shuffle(), new OutputTable(places));
    }

    /** Nobody reads the shuffle any more. */
    public void forget(int shuffle) {
        tables.remove(shuffle);
    }

    /** An executor is gone: who waits for it waits no longer. */
    public void gone(ExecutorId executor) {
        holders.gone(executor);
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

    boolean isSelf(ExecutorId executor) {
        return self.equals(executor);
    }

    /** Whether what lies on disks of {@code other} is read from there without asking for the bytes. */
    boolean readsDisksOf(String other) {
        return settings.readsHostDisks() && host.equals(other);
    }

    FetchSettings settings() {
        return settings;
    }

    ShuffleStore store() {
        return store.get();
    }

    SegmentFiles files() {
        return files.get();
    }

    Holders holders() {
        return holders;
    }
}
