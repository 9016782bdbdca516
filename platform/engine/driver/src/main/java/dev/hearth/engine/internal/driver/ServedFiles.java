package dev.hearth.engine.internal.driver;

import dev.hearth.engine.internal.executor.Lazy;
import dev.hearth.engine.internal.protocol.BlockProtocol;
import dev.hearth.spi.stream.Streams;

/** What a driver serves to executors in other processes by streams; broadcast values from when one first asks for any. */
record ServedFiles(Lazy<BroadcastServer> offered, ServedJars code, ServedBundles bundles, DriverAttachments attaching) {
    /** Fixes the application's bundles as they are now; once, before an executor can ask for them. May fail. */
    void freeze() {
        bundles.freeze();
    }

    /** Begins to; ends with the scope that the streams are of. */
    void serve(Streams streams) {
        streams.serve(BlockProtocol.CODE, code::open);
        streams.serve(BlockProtocol.BUNDLES, bundles::open);
        streams.serve(BlockProtocol.ATTACHED, attaching::open);
        streams.serve(BlockProtocol.BROADCASTS, name -> broadcasts().chunk(name));
    }

    BroadcastServer broadcasts() {
        return offered.get();
    }

    /** Nobody will ask for a broadcast value any more; tells whether anybody ever has. */
    boolean drop(long broadcast) {
        return offered.ifCreated().map(offers -> offers.drop(broadcast)).orElse(false);
    }
}
