package dev.hearth.engine.internal.driver;

import dev.hearth.engine.internal.protocol.BlockProtocol;
import dev.hearth.spi.stream.Streams;

/** What a driver serves to executors in other processes by streams. */
record ServedFiles(OfferedBroadcasts broadcasts, ServedCode code, ServedBundles bundles, Attaching attaching) {
    /** Begins to; ends with the scope that the streams are of. */
    void serve(Streams streams) {
        streams.serve(BlockProtocol.CODE, code::open);
        streams.serve(BlockProtocol.BUNDLES, bundles::open);
        streams.serve(BlockProtocol.ATTACHED, attaching::open);
        streams.serve(BlockProtocol.BROADCASTS, broadcasts::chunk);
    }
}
