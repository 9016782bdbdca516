package dev.hearth.engine.internal.driver.serving;

import dev.hearth.engine.internal.executor.Lazy;
import dev.hearth.engine.internal.protocol.BlockProtocol;
import dev.hearth.spi.stream.Streams;

/**
 * The content that a driver serves to executors in other processes: jars, bundles, attached files and broadcast values.
 */
public record ServedFiles(
        Lazy<BroadcastServer> offered, ServedJars code, ServedBundles bundles, DriverAttachments attaching) {
    /** Fixes the application's bundles as they are now. Called once, before an executor can request them. May fail. */
    public void freeze() {
        bundles.freeze();
    }

    /** Serves the content over {@code streams}, until they are closed with their scope. */
    public void serve(Streams streams) {
        streams.serve(BlockProtocol.CODE, code::open);
        streams.serve(BlockProtocol.BUNDLES, bundles::open);
        streams.serve(BlockProtocol.ATTACHED, attaching::open);
        streams.serve(BlockProtocol.BROADCASTS, name -> broadcasts().chunk(name));
    }

    BroadcastServer broadcasts() {
        return offered.get();
    }

    /** Drops a broadcast value. False if no executor has requested it. */
    public boolean drop(long broadcast) {
        return offered.ifCreated().map(offers -> offers.drop(broadcast)).orElse(false);
    }
}
