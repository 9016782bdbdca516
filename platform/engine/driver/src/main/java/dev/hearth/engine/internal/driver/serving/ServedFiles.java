package dev.hearth.engine.internal.driver.serving;

import dev.hearth.engine.internal.executor.Lazy;
import dev.hearth.engine.internal.protocol.BlockProtocol;
import dev.hearth.spi.stream.Streams;

/**
 * The content that a driver serves to executors in other processes: jars, bundles, attached files and broadcast values.
 */
public record ServedFiles(
        Lazy<BroadcastServer> offered, ServedJars code, ServedBundles bundles, DriverAttachments attaching) {
    /**
     * Fixes the set of bundles that executors receive: from now on it consists of the bundles, in their present
     * versions, that the application's executors need. Called once, before any executor can request a bundle. Fails if
     * the jar of a bundle cannot be copied.
     */
    public void freeze() {
        bundles.freeze();
    }

    /**
     * Serves the application's jars, bundles, attached files and broadcast values over {@code streams}, until the RPC
     * scope of these streams is closed.
     */
    public void serve(Streams streams) {
        streams.serve(BlockProtocol.CODE, code::open);
        streams.serve(BlockProtocol.BUNDLES, bundles::open);
        streams.serve(BlockProtocol.ATTACHED, attaching::open);
        streams.serve(BlockProtocol.BROADCASTS, name -> broadcasts().chunk(name));
    }

    BroadcastServer broadcasts() {
        return offered.get();
    }

    /**
     * Drops the serialised form of a broadcast value. Returns false if there is none, because no executor in another
     * process has requested the value.
     */
    public boolean drop(long broadcast) {
        return offered.ifCreated().map(offers -> offers.drop(broadcast)).orElse(false);
    }
}
