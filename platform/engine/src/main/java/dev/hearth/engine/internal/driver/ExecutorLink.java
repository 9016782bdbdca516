package dev.hearth.engine.internal.driver;

import dev.hearth.engine.internal.protocol.ExecutorProtocol;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.Define;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.Forget;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.Kill;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.Launch;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.Stop;
import dev.hearth.spi.rpc.EndpointRef;
import dev.hearth.spi.rpc.Peer;

/** The driver's way to one executor, in this process or in another. Called on the driver's loop. */
interface ExecutorLink {
    void define(Define message);

    void launch(Launch message);

    void forget(Forget message);

    void kill(Kill message);

    void stop(Stop message);

    /** The way over the connection that the executor opened. */
    static ExecutorLink over(Peer peer) {
        EndpointRef executor = peer.endpoint(ExecutorProtocol.ENDPOINT, ExecutorProtocol.PROTOCOL);
        return new ExecutorLink() {
            @Override
            public void define(Define message) {
                executor.send(message);
            }

            @Override
            public void launch(Launch message) {
                executor.send(message);
            }

            @Override
            public void forget(Forget message) {
                executor.send(message);
            }

            @Override
            public void kill(Kill message) {
                executor.send(message);
            }

            @Override
            public void stop(Stop message) {
                executor.send(message);
            }
        };
    }
}
